import type { TargetTenant } from '../../../spec/files/target.ts';
import type { OperationId } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Generate, Situation } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { holderKey, holderParams, labelOperations, labelWriteOf } from '../../target/holder.ts';
import { carries, type KeyOfTenant, keyFor, keysOf } from '../../target/keys.ts';
import { scopeRules } from '../../target/named-scopes.ts';
import { holdersOf, type NamedLabel, sparesOf, tenantsOf } from '../../target/records.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import { otherAddresses, spellingsOf } from '../asking/spellings.ts';
import { refusedWrites } from './refused-writes.ts';

const feedsOf = (ids: readonly OperationId[]): RuleId[] => [
  'auth/key-in-x-api-key',
  'keys/partner-scoped',
  ...ids.flatMap((id): RuleId[] => {
    const rule = scopeRules[id];
    return rule === undefined
      ? ['scopes/where-none-is-named']
      : [rule, 'scopes/missing-scope-is-403', 'scopes/named-scopes-suffice'];
  }),
];

/**
 * Each operation with every key: keys with its scopes on every record, keys that lack a scope on one record in turn. This covers all pairs
 * of key, operation and record.
 */
export const everyKey: Generate = function* (deployment) {
  const { tenant } = deployment;
  for (const { id, scopes } of deployment.operations) {
    const rule = scopeRules[id];
    for (const lacks of rule === undefined ? [] : scopes) {
      const found = keyFor(deployment, { lacks });
      if ('missing' in found && rule !== undefined)
        yield { id: `every-key/without/${lacks}/${id}`, feeds: [rule], missing: [found.missing] };
    }
  }
  for (const owner of tenantsOf(deployment)) {
    const prefix = `every-key/${owner === tenant ? 'ours' : 'theirs'}`;
    for (const [position, { id, scopes }] of deployment.operations.entries()) {
      if (labelWriteOf(id, {}) !== null || lawfulAsks(id, deployment, () => '', owner).length === 0) continue;
      yield {
        id: `${prefix}/${id}`,
        title: `${id} with every key of ${owner.name}`,
        feeds: feedsOf([id]),
        uses: [id],
        async run({ send, newId }) {
          for (const [turn, key] of keysOf(owner).entries()) {
            const asks = lawfulAsks(id, deployment, newId, owner);
            const all = carries(key, scopes) && scopes.length > 0;
            const [first] = asks.slice((turn + position) % asks.length);
            for (const { ask } of all ? asks : first ? [first] : []) await send({ ...ask, key });
            if (all || first === undefined || scopes.length === 0) continue;
            const spellings = spellingsOf(first.ask);
            await send({ ...first.ask, ...spellings[turn % spellings.length], key });
          }
        },
      };
    }
    const [spare] = sparesOf(owner);
    if (spare !== undefined) yield* ofLabels(deployment, owner, spare, prefix);
  }
};

function* ofLabels(
  deployment: Deployment,
  owner: TargetTenant,
  spare: NamedLabel,
  prefix: string,
): Generator<Situation> {
  const holders = holdersOf(owner);
  for (const record of holders) {
    const { apply, remove } = labelOperations[record.holder.kind];
    // Holders of the same kind share the keys that lack a scope.
    const alike = holders.filter(({ holder }) => holder.kind === record.holder.kind);
    const isForThis = (_: KeyOfTenant, turn: number) => turn % alike.length === alike.indexOf(record);
    if (deployment.operation(apply) === undefined && deployment.operation(remove) !== undefined) {
      yield {
        id: `${prefix}/labels/${record.slug}/${remove}`,
        title: `a label that is not carried is removed from ${record.words} with every key of ${owner.name}`,
        feeds: feedsOf([remove]),
        uses: [remove],
        locks: [holderKey(record.holder)],
        async run({ send }) {
          const params = holderParams(record.holder, spare.id);
          for (const key of keysOf(owner)) await send({ operation: remove, params, key });
        },
      };
      continue;
    }
    yield {
      id: `${prefix}/labels/${record.slug}`,
      title: `a label is applied to and removed from ${record.words} with every key of ${owner.name}`,
      feeds: feedsOf([apply, remove]),
      uses: [apply, remove],
      locks: [holderKey(record.holder)],
      writes: 'labels',
      async run(scene) {
        const keys = keysOf(owner);
        const lacking = keys.filter((key) => !carries(key, deployment.scopesOf(apply, remove)));
        const ways = lacking.filter(isForThis).map((key) => ({ key }));
        const [first] = ways;
        // A gateway may check scopes by the address, and the service behind it may take others for the same.
        const addressed = first === undefined ? [] : otherAddresses.map((address) => ({ ...first, ...address }));
        if ((await refusedWrites(scene, record, [...ways, ...addressed], ways)) === null) return;
        const params = holderParams(record.holder, spare.id);
        for (const operation of [apply, remove])
          for (const key of keys.filter((one) => carries(one, deployment.scopesOf(operation))))
            await scene.send({ operation, params, key });
      },
    };
  }
}
