import { createBucket } from '../../../mock/keys/bucket.ts';
import { errorWith } from '../../../mock/wrong/tampering/json-value.ts';
import { type Asked, as } from '../../../mock/wrong/tampering/tamper.ts';
import { type Around, during, inFront, message, strangers } from './stranger.ts';

type Key = NonNullable<Asked['key']>;

export const forbidden = message(403, 'Forbidden');
export const named =
  (name: RegExp, tenant = 'acme') =>
  ({ key }: Asked) =>
    key?.tenant === tenant && name.test(key.name);
const hasKey = ({ request }: Asked) => request.headers['x-api-key'];

/** Refuses secrets that were not there at the beginning for some seconds after their first use. */
const newOnesUnknown =
  (seconds: number, isMeant: (key: Key, isRegenerated: boolean) => unknown = () => true): Around =>
  (scene) => {
    const { clock, keys: ring } = scene.mock;
    const before = new Map(ring.list().map(({ id, hash }) => [id, hash]));
    const first = new Map<string, number>();
    return inFront([
      ({ key }) => {
        const isShadow = key?.name.startsWith('shadow-');
        if (!key || key.revoked || isShadow || before.get(key.id) === key.hash || !isMeant(key, before.has(key.id)))
          return;
        first.set(key.hash, first.get(key.hash) ?? clock.now());
        return clock.now() < (first.get(key.hash) ?? 0) + seconds * 1e3;
      },
      forbidden,
    ])(scene);
  };

/** In every other request. */
export const inTurn = () => {
  let turn = 0;
  return () => turn++ % 2 === 0;
};

/** How keys reach gateways. The specification says that revoking works at once, and nothing of when new keys, secrets and limits do. */
export const keys = strangers({
  'new-secrets': ['knows a new key or secret only 4 s after its first use', newOnesUnknown(4)],
  'new-keys': ['knows a new key only 3 s after its first use', newOnesUnknown(3, (_, isRegenerated) => !isRegenerated)],
  'half-of-the-gateways': [
    'has two gateways, one of which knows a new key or secret only after 6 s',
    (scene) => newOnesUnknown(6, inTurn())(scene),
  ],
  'tenant-lost': ['loses all keys of globex for 5 s, after 25 s', during([25], 5, forbidden, named(/./, 'globex'))],
  'no-keys-500': [
    'cannot read its keys for 4 s, after 22 s: 500 to every key',
    during([22], 4, () => errorWith(500, 'INTERNAL_SERVER_ERROR'), hasKey),
  ],
  'no-keys-401': [
    'cannot read its keys for 3 s, after 13 and 27 s: 401 to every key',
    during([13, 27], 3, message(401, 'Unauthorized'), hasKey),
  ],
  // "Rotation: regenerate the key, deploy the new secret, then discard the old value."
  'old-secrets': [
    'takes the old secret of a regenerated key for 20 s more',
    ({ mock, handle, reached }) => {
      const [owners, since] = [new Map<string, string>(), new Map<string, number>()];
      return async (request, trace) => {
        const secret = request.headers['x-api-key'] ?? '';
        const known = mock.keys.recognise(secret);
        if (known) owners.set(secret, known.id);
        const key = mock.keys.list().find((one) => one.id === owners.get(secret) && !one.revoked);
        if (known || !key) return handle(request, trace);
        since.set(secret, since.get(secret) ?? mock.clock.now());
        if (mock.clock.now() > (since.get(secret) ?? 0) + 20_000) return handle(request, trace);
        reached();
        return handle(as(mock, request, key.tenant, key.scopes), trace);
      };
    },
  ],
  'raised-limits': [
    'takes 5 s until a raised limit is in force',
    {
      options: () => ({
        createLimiter: (first) => {
          const limiter = createBucket(first);
          let raise = (_now: number) => {};
          return {
            ...limiter,
            take: (now) => {
              raise(now);
              return limiter.take(now);
            },
            limitTo: (next, at) => {
              raise = (now) => now > at + 5_000 && limiter.limitTo(next, now);
            },
          };
        },
      }),
    },
    'the raised limit is not in force while it is measured',
  ],
});
