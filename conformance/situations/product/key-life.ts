import type { HookName } from '../../../spec/files/hooks.ts';
import type { Scope } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { Generate } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { holderKey, holderParams, labelOperations, labelWriteOf } from '../../target/holder.ts';
import { type KeyOfTenant, keysWith } from '../../target/keys.ts';
import { holdersOf, sparesOf } from '../../target/records.ts';
import { refusedWrites } from '../access/refused-writes.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import { makeKey } from '../asking/made-key.ts';
import { labelScene } from '../labels/label-holder.ts';

const feeds: readonly RuleId[] = [
  'keys/created-with-name-and-scopes',
  'keys/secret-shown-only-once',
  'keys/regeneration-issues-a-new-secret',
  'keys/revocation-is-immediate-and-listed',
];

const hooks: readonly HookName[] = ['createKey', 'regenerateKey', 'revokeKey', 'listKeys'];

/** One request of each operation, as far as it changes nothing. @param turn rotates the records */
const harmless = ({ deployment, newId }: Scene, turn: number): Ask[] =>
  deployment.operations.flatMap(({ id }) => {
    if (labelWriteOf(id, {}) !== null || id === 'registerSiteFile') return [];
    const asks = lawfulAsks(id, deployment, newId);
    const found = asks[turn % Math.max(1, asks.length)];
    return found === undefined ? [] : [found.ask];
  });

/** Each of these operations at the same time. */
const everything = (scene: Scene, turn: number, how: Pick<Ask, 'key' | 'credential'>) =>
  Promise.all(harmless(scene, turn).map((ask) => scene.send({ ...ask, ...how })));

const scopesOf = ({ operations }: Deployment): Scope[] => [...new Set(operations.flatMap(({ scopes }) => scopes))];

/** A key is created, regenerated and revoked, and used all the time, while another key stays valid. */
export const keyLife: Generate = function* (deployment) {
  const { tenant } = deployment;
  const all = scopesOf(deployment);
  const [holder] = holdersOf(tenant);
  const [spare] = sparesOf(tenant);
  const kinds: readonly { readonly slug: string; readonly scopes: readonly Scope[] }[] = [
    { slug: 'all-scopes', scopes: all },
    ...all.slice(0, 1).map((scope) => ({ slug: 'one-scope', scopes: [scope] })),
  ];
  for (const { slug, scopes } of kinds)
    yield {
      id: `product/key-life/${slug}`,
      title: `a key with ${slug === 'all-scopes' ? 'every scope' : scopes[0]} is created, regenerated and revoked, and used all the time`,
      feeds,
      hooks,
      uses: [],
      async run(scene) {
        const { key, regenerate, revoke } = await makeKey(scene, scopes);
        await everything(scene, 0, { key });
        await scene.hook('listKeys', {});
        const renewed = await regenerate();
        await everything(scene, 1, { key: renewed });
        await everything(scene, 0, { key, credential: 'replaced' });
        await scene.hook('listKeys', {});
        // A deployment that caches keys would accept the revoked key for some time, so the key is used right before.
        await everything(scene, 0, { key: renewed });
        const revoked = await revoke();
        const [other] = keysWith(tenant, []);
        await Promise.all([everything(scene, 0, { key: revoked }), scene.send(plain(scene, other))]);
        await everything(scene, 1, { key: revoked });
        await scene.hook('listKeys', {});
      },
    };
  if (holder !== undefined && spare !== undefined)
    yield {
      id: 'product/key-life/writes',
      title: `labels are applied to ${holder.words} and removed with a key that was revoked a moment ago, and with one that has similar scopes`,
      feeds,
      hooks,
      uses: [],
      locks: [holderKey(holder.holder)],
      writes: 'labels',
      async run(scene) {
        // Null if labels could not be removed again.
        if ((await labelScene(scene, holder)) === null) return;
        const { key, revoke } = await makeKey(scene, all);
        const { apply, remove } = labelOperations[holder.holder.kind];
        const params = holderParams(holder.holder, spare.id);
        await scene.send({ operation: apply, params, key });
        await scene.send({ operation: remove, params, key });
        // A key with every half of the scope that it lacks, such as conversation:read and site:write.
        const needed = deployment.scopesOf(apply);
        const halves = needed.flatMap((scope) => scope.split(':'));
        const like = all.filter(
          (scope) => !needed.includes(scope) && scope.split(':').some((one) => halves.includes(one)),
        );
        const { key: lacking } = await makeKey(scene, like);
        await refusedWrites(scene, holder, [{ key: await revoke() }, { key: lacking }]);
      },
    };
  yield {
    id: 'product/raised-limit',
    title: 'the limit of a key is doubled, and then used up at once',
    feeds: ['limiter/limits-can-be-raised', 'limiter/own-bucket-per-key'],
    hooks: ['createKey', 'raiseLimit', 'revokeKey'],
    uses: ['listLabels'],
    async run(scene) {
      const made = await makeKey(scene, []);
      const { perSecond, burst } = made.key.rateLimit;
      const key = await made.raise({ perSecond: 2 * perSecond, burst: 2 * burst });
      // The bucket may keep its old level when the limit is raised, so the key rests until the new burst is refilled.
      await scene.sleep((1000 * burst) / perSecond);
      await Promise.all(
        Array.from({ length: 2 * burst }, () => scene.send({ operation: 'listLabels', key, unpaced: true })),
      );
    },
  };
};

const plain = ({ deployment }: Scene, key: KeyOfTenant | undefined): Ask => ({
  operation: deployment.operation('listLabels') ? 'listLabels' : 'getHealth',
  ...(key && { key }),
});
