import { operationIds } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { tooManyRequests } from '../../tampering/limiters.ts';
import { type AskedWhen, answering, failing, refusing } from '../../tampering/when.ts';

/** Throttles requests to any operation. */
const throttling = (when: AskedWhen) => answering({ id: operationIds, ...when }, () => tooManyRequests(1_000));

/** Defects that never answer what has to be refused, in ways that are no fault when they happen now and then. */
export const unservedRefusals: readonly Defect[] = [
  ...breaking('auth/unknown-key-is-403', {
    'auth/unknown-key-always-500': [
      'breaks on every key that nobody has',
      refusing({ id: operationIds, secret: /./, where: ({ key }) => key === undefined }, 500),
    ],
  }),
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-always-429': ['throttles whoever shows no key', throttling({ secret: /^$/ })],
  }),
  ...breaking('auth/revoked-key-is-403', {
    'auth/revoked-key-always-429': [
      'throttles revoked keys, however slowly they ask',
      throttling({ where: ({ key }) => key?.revoked }),
    ],
  }),
  ...breaking('scopes/missing-scope-is-403', {
    'scopes/legacy-site-always-500': [
      'breaks when a key without the scope asks for a legacy site',
      failing({ id: operationIds, record: 'legacy', refused: 'missing-scope' }, 500),
    ],
    'scopes/one-of-two-always-500': [
      'breaks when a key with one of two scopes removes a label from a link',
      refusing(
        {
          id: 'removeClientSiteLabel',
          usable: true,
          where: ({ key }) => key?.scopes.has('client:write') !== key?.scopes.has('site:write'),
        },
        500,
      ),
    ],
  }),
];
