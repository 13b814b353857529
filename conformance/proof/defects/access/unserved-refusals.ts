import type { ApiReply } from '../../../../mock/index.ts';
import { errorWith, replyWith } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, instead } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';

const throttled: ApiReply = { ...replyWith(429, { message: 'Too many requests.' }), headers: { 'retry-after': '1' } };

const always = (reply: ApiReply, which: (asked: Asked) => boolean) =>
  instead((asked) => (asked.id !== null && asked.id !== 'storage' && which(asked) ? reply : undefined));

const isShown = ({ request }: Asked) => (request.headers['x-api-key'] ?? '') !== '';

/** Defects that never answer what has to be refused, in ways that are no fault when they happen now and then. */
export const unservedRefusals: readonly Defect[] = [
  ...breaking('auth/unknown-key-is-403', {
    'auth/unknown-key-always-500': [
      'breaks on every key that nobody has',
      always(errorWith(500, 'INTERNAL'), (asked) => isShown(asked) && asked.key === undefined),
    ],
  }),
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-always-429': ['throttles whoever shows no key', always(throttled, (asked) => !isShown(asked))],
  }),
  ...breaking('auth/revoked-key-is-403', {
    'auth/revoked-key-always-429': [
      'throttles revoked keys, however slowly they ask',
      always(throttled, ({ key }) => key?.revoked === true),
    ],
  }),
  ...breaking('scopes/missing-scope-is-403', {
    'scopes/one-of-two-always-500': [
      'breaks when a key with one of two scopes removes a label from a link',
      always(errorWith(500, 'INTERNAL'), ({ id, key }) => {
        const held = ['client:write', 'site:write'].filter((scope) =>
          [...(key?.scopes ?? [])].some((one) => one === scope),
        );
        return id === 'removeClientSiteLabel' && key?.revoked === false && held.length === 1;
      }),
    ],
  }),
];
