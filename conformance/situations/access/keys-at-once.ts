import type { RuleId } from '../../../spec/rules.ts';
import type { Ask } from '../../client/ask.ts';
import type { Generate } from '../../scripts/script.ts';
import { labelWriteOf } from '../../target/holder.ts';
import { type KeyOfTenant, keysFor, keysOf, keysWith, lacksScope, revokedKeysOf } from '../../target/keys.ts';
import { createBarrier } from '../asking/barrier.ts';
import { lawfulAsks } from '../asking/lawful.ts';

const feeds: readonly RuleId[] = [
  'auth/key-in-x-api-key',
  'auth/no-key-is-403',
  'auth/unknown-key-is-403',
  'auth/revoked-key-is-403',
  'isolation/reads-stay-in-tenant',
  'keys/partner-scoped',
];

/** Milliseconds without a request. Gateways often cache keys for five minutes. */
const idle = 5.5 * 60_000;

/**
 * The same request with right and wrong keys, at the same time and in turn. This finds deployments that cache the check of keys by path, by
 * connection or by the last request.
 */
export const keysAtOnce: Generate = function* (deployment) {
  const { tenant, stranger } = deployment;
  const revoked = revokedKeysOf(tenant);
  const others = (operation: Ask['operation']) =>
    stranger === undefined ? [] : keysFor(deployment, operation, stranger).slice(0, 1);

  for (const [position, { id, scopes }] of deployment.operations.entries()) {
    if (labelWriteOf(id, {}) !== null || id === 'registerSiteFile') continue;
    const keys = keysWith(tenant, scopes);
    const [key] = keys.slice(position % keys.length);
    const asks = lawfulAsks(id, deployment, () => '');
    if (key === undefined || asks.length === 0) continue;
    // A gateway may cache the scopes of a key, but must not cache them by path.
    const lacking = keysOf(tenant).filter((one) => scopes.some((scope) => lacksScope(one, scope)));
    const wrong = (turn: number): Pick<Ask, 'key' | 'credential'> =>
      [
        { credential: 'none' as const },
        { credential: 'unknown' as const, key },
        ...revoked.map((one) => ({ key: one })),
      ][(turn + position) % (2 + revoked.length)] ?? {};
    yield {
      id: `keys-at-once/${id}`,
      title: `${id} with right and wrong keys at the same time, and in turn`,
      feeds,
      uses: [id],
      async run({ send, newId, sleep }) {
        for (const [turn, { ask }] of lawfulAsks(id, deployment, newId).entries()) {
          const scopeless = lacking
            .slice(turn % Math.max(1, lacking.length))
            .slice(0, 1)
            .map((one) => ({ key: one }));
          // A key without the scope asks twice: a refusal may be forgotten at once.
          const shown = [{ key }, wrong(turn), ...others(id).map((one) => ({ key: one })), ...scopeless, ...scopeless];
          const barrier = createBarrier(shown.length, sleep);
          await Promise.all(shown.map((way) => send({ ...ask, ...way, barrier })));
          await send({ ...ask, ...wrong(turn + 1) });
          await send({ ...ask, key });
        }
      },
    };
  }
  yield {
    id: 'keys-at-once/after-idle',
    title: 'right and wrong keys, after five minutes without a request',
    feeds,
    uses: ['listLabels'],
    slow: true,
    async run({ send, sleep }) {
      const all: readonly KeyOfTenant[] = [
        ...keysWith(tenant, []),
        ...(stranger ? keysWith(stranger, []) : []),
        ...revoked,
      ];
      const round = async () => {
        for (const key of all) await send({ operation: 'listLabels', key });
        await send({ operation: 'listLabels', credential: 'none' });
        for (const key of all.slice(0, 1)) await send({ operation: 'listLabels', credential: 'unknown', key });
      };
      await round();
      await sleep(idle);
      await round();
    },
  };
};
