import { breaking, type Defect } from '../../tampering/defect.ts';
import { elsewhere } from '../../tampering/predicates.ts';
import { servedAfterAll } from '../../tampering/when.ts';

/** Breaks the mock only from 40 seconds after its start, when a run is nearly at its end. */
const late =
  (around: NonNullable<Defect['around']>): NonNullable<Defect['around']> =>
  (scene) => {
    const from = scene.mock.clock.now() + 40_000;
    const broken = around(scene);
    return (request, trace) => (scene.mock.clock.now() < from ? scene.handle : broken)(request, trace);
  };

const toTheOther = (isRead: boolean) =>
  late(
    servedAfterAll('the other', {
      refused: elsewhere,
      where: ({ request }) => (request.method === 'GET') === isRead,
    }),
  );

const withoutScope = (isRead: boolean) =>
  late(
    servedAfterAll('its own', {
      refused: 'missing-scope',
      where: ({ key, request }) => key?.scopes.size === 0 && (request.method === 'GET') === isRead,
    }),
  );

/** Faults that begin late, as when a cache of permissions has expired. */
export const lateFaults: readonly Defect[] = [
  ...breaking('auth/no-key-is-403', {
    'auth/no-key-needed-after-a-while': [
      'after 40 seconds serves requests without a key',
      late(servedAfterAll('acme', { refused: 'no-key', secret: /^$/ })),
    ],
  }),
  ...breaking('scopes/context-needs-conversation-read', {
    'scopes/read-by-all-after-a-while': ['after 40 seconds lets a key without scopes read', withoutScope(true)],
  }),
  ...breaking('scopes/conversation-labels-need-conversation-write', {
    'scopes/written-by-all-after-a-while': ['after 40 seconds lets a key without scopes write', withoutScope(false)],
  }),
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/read-by-all-after-a-while': [
      'after 40 seconds shows the records of one tenant to the other',
      toTheOther(true),
    ],
  }),
  ...breaking('isolation/writes-stay-in-tenant', {
    'isolation/written-by-all-after-a-while': [
      'after 40 seconds lets one tenant write to the records of the other',
      toTheOther(false),
    ],
  }),
];
