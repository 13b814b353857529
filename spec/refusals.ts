import type { RuleId } from './generated/rules.ts';

/**
 * Kinds of refused requests for which the specification leaves the reply open, at least in part: the status by decisions.md, the rule
 * that it follows, and when it is due. A profile may have another reply to each. Imports nothing, because every mock loads it.
 */
export const refusals = {
  'no-key': [403, 'auth/no-key-is-403', 'No x-api-key header.'],
  'unknown-key': [403, 'auth/unknown-key-is-403', 'A key that does not exist.'],
  'revoked-key': [403, 'auth/revoked-key-is-403', 'A revoked key.'],
  'bearer-only': [403, 'auth/bearer-is-not-supported', 'The key as an Authorization Bearer token only.'],
  'missing-scope': [403, 'scopes/missing-scope-is-403', 'A key that lacks a needed scope.'],
  'malformed-json': [400, 'errors/invalid-request-is-400', 'A body that is not well-formed JSON.'],
  'wrong-json-type': [400, 'errors/invalid-request-is-400', 'A body, or a property of it, of another JSON type.'],
  'missing-content-type': [400, 'upload/content-type-is-required', 'Starting an upload without contentType.'],
  'empty-content-type': [400, 'upload/content-type-is-required', 'Starting an upload with an empty contentType.'],
  'additional-property': [
    400,
    'upload/no-additional-properties',
    'Starting an upload with a property besides contentType.',
  ],
  'missing-file-key': [400, 'upload/register-takes-file-key', 'Registering a file without fileKey.'],
  'malformed-file-key': [400, 'upload/register-takes-file-key', 'Registering a fileKey that is not a UUID.'],
  'not-json': [415, 'transport/json-both-ways', 'A body that is not declared as JSON.'],
  'malformed-label-id': [400, 'ids/malformed-is-refused', 'A label id that is not a UUID.'],
  'malformed-conversation-id': [400, 'ids/malformed-is-refused', 'A conversation id that is not a UUID.'],
  'malformed-client-id': [400, 'ids/malformed-is-refused', 'A client id without ovcid-.'],
  'unknown-conversation': [404, 'errors/unknown-is-404', 'A conversation that does not exist.'],
  // What belongs to others gets the same reply as what does not exist, so that nobody learns that it exists.
  'foreign-conversation': [404, 'isolation/reads-stay-in-tenant', 'A conversation of another tenant.'],
  'unknown-site': [404, 'errors/unknown-is-404', 'A site that does not exist.'],
  'foreign-site': [404, 'isolation/reads-stay-in-tenant', 'A site of another tenant.'],
  'unknown-client': [404, 'errors/unknown-is-404', 'A client that does not exist.'],
  'foreign-client': [404, 'isolation/reads-stay-in-tenant', 'A client of another tenant.'],
  'unknown-link': [404, 'errors/unknown-is-404', 'A client and a site that are not linked.'],
  'foreign-link': [404, 'isolation/reads-stay-in-tenant', 'A link of another tenant.'],
  'unknown-label': [404, 'errors/unknown-is-404', 'A label that does not exist.'],
  'private-label': [404, 'labels/private-cannot-be-applied', 'A private label.'],
  'foreign-label': [404, 'isolation/writes-stay-in-tenant', 'A label of another tenant.'],
  'unknown-file-key': [404, 'errors/unknown-is-404', 'A fileKey that was never issued.'],
  'foreign-file-key': [404, 'isolation/writes-stay-in-tenant', 'A fileKey that was issued for another site or tenant.'],
  'unknown-path': [404, 'errors/routing', 'A path that the API does not have.'],
  'wrong-method': [405, 'errors/routing', 'A known path with another method.'],
  'too-large': [413, 'limits/too-large-is-413', 'A body over the size limit.'],
} as const satisfies Record<string, readonly [status: number, rule: RuleId, when: string]>;

/** A case under `errors` of a profile. */
export type RefusalCase = keyof typeof refusals;

export const refusalCases = Object.keys(refusals) as RefusalCase[];
