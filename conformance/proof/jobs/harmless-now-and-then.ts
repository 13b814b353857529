/** Defects that are no fault by the contract where they happen only now and then, by the reason. At every request they are one. */
export const harmlessNowAndThen: Readonly<Record<string, readonly string[]>> = {
  'a 5xx now and then is documented: only what never once succeeds is broken': [
    'context/always-500-when-closed',
    'context/breaks-for-narrow-keys',
    'labels/apply-twice-500',
    'limiter/one-in-five-is-503',
    'limiter/removals-are-503',
    'limits/too-large-is-500',
    'scopes/legacy-site-always-500',
    'scopes/missing-breaks',
    'scopes/one-of-two-always-500',
    'upload/breaks-for-large-numbers',
    'upload/breaks-for-parameters',
    'upload/missing-content-type-500',
    'upload/register-breaks',
  ],
  'a 429 says nothing about the request, and a gateway may also throttle by address': [
    'auth/no-key-always-429',
    'auth/revoked-key-always-429',
    'labels/stranger-site-apply-always-429',
  ],
  'what a limiter admits or refuses now and then is within the readings of rate and burst': [
    'limiter/none-for-keys-with-all-scopes',
    'limiter/none-for-links',
    'limiter/none-for-the-second-tenant',
    'limiter/none-for-uploads',
    'limiter/shared-by-keys-of-a-name',
    'limiter/shared-by-similar-keys',
    'limiter/shared-by-two-tenants',
    'limiter/uploads-have-a-bucket-of-their-own',
  ],
};
