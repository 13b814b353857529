import { type OperationId, operations } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Scene } from '../../experiments/scene.ts';
import { succeeded } from '../../history/exchange.ts';
import type { Generate, Situation } from '../../scripts/script.ts';
import { holderKey, holderParams, labelOperations, labelWriteOf } from '../../target/holder.ts';
import { keysFor, keysWith } from '../../target/keys.ts';
import { holdersOf, type KnownHolder, missingHolders, sparesOf, tenantsOf } from '../../target/records.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import { carriedIn, showLabels } from '../labels/label-holder.ts';
import { nearMisses } from './near-misses.ts';

const feeds: readonly RuleId[] = [
  'ids/malformed-is-refused',
  'errors/body',
  'errors/codes',
  'errors/invalid-request-is-400',
  'errors/unknown-is-404',
  'versioning/v1-prefix',
  'errors/routing',
];

const sites: readonly RuleId[] = ['ids/site-id', 'ids/legacy-site-id-works', 'transport/json-both-ways'];

/** Ids that differ little from an existing one. A careless look-up may find the record. */
const nearUuid = (id: string) => ['not-a-uuid', id.slice(0, -1), `${id}0`];

const nearClient = (id: string) => [id.replace(/^ovcid-/, ''), id.replace(/^ovcid-/, 'ovaid-')];

/** Empty for legacy ids, because a similar number may be the id of another site. */
const nearSite = (id: string) => (/^ovaid-./.test(id) ? [id.replace(/^ovaid-/, ''), `${id}0`] : []);

/** The id as a pattern with a wildcard in place of its last character. It matches hardly any record but this one. */
const ownPattern = (id: string) => `${id.slice(0, -1)}_`;

/** Patterns that a write may contain. Empty for legacy ids, for the reason above. */
const ownPatterns = (id: string) => (/^[\da-z-]{36,}$/i.test(id) ? [ownPattern(id)] : []);

/** Ids that a careless look-up takes for patterns. Only reads and starts of uploads may send them, because they match the records of anybody. */
const patterns = (id: string) => ['%', '*', ownPattern(id)];

/** Values for a path parameter that match no record. */
function nearRecord(template: string, name: string, id: string, newId: () => string): readonly string[] {
  if (template.startsWith('/v1/conversation/')) return [newId(), ...nearUuid(id)];
  if (name === 'clientId' || template.startsWith('/v1/client/{id}')) return [`ovcid-${newId()}`, ...nearClient(id)];
  return [`ovaid-${newId()}`, ...nearSite(id)];
}

/**
 * Path parameters in which one id of a record, or all of them, is replaced by an id without a record.
 * @param more further ids in place of one
 */
function* nearParams(
  template: string,
  params: Readonly<Record<string, string>>,
  newId: () => string,
  more: (id: string) => readonly string[],
): Generator<Readonly<Record<string, string>>> {
  const names = Object.keys(params).filter((name) => name !== 'labelId');
  for (const name of names) {
    const id = params[name] ?? '';
    for (const near of [...nearRecord(template, name, id, newId), ...more(id)]) yield { ...params, [name]: near };
  }
  if (names.length < 2) return;
  const unknown = names.map((name) => [name, nearRecord(template, name, params[name] ?? '', newId)[0] ?? newId()]);
  yield { ...params, ...Object.fromEntries(unknown) };
}

/** Unknown, malformed and nearly right ids wherever an operation takes one. */
export const nearIds: Generate = function* (deployment) {
  for (const owner of tenantsOf(deployment)) {
    const ours = owner === deployment.tenant;
    for (const { id, scopes } of deployment.operations) {
      const [key] = keysWith(owner, scopes);
      const asks = lawfulAsks(id, deployment, () => '', owner);
      if (labelWriteOf(id, {}) !== null || key === undefined || !asks.some(({ ask }) => ask.params)) continue;
      yield {
        id: `near-ids/${ours ? 'ours' : 'theirs'}/${id}`,
        title: `${id} with unknown, malformed and nearly right ids in place of those of ${owner.name}`,
        feeds,
        uses: [id],
        async run({ send, newId }) {
          // One record of the other tenant is enough to see whether requests are refused in the same way.
          const lawful = lawfulAsks(id, deployment, newId, owner).slice(0, ours ? undefined : 1);
          // The number of a database row. Only reads may use it, because it may be the id of a record of another tenant.
          if (operations[id].path.startsWith('/v1/conversation/'))
            await send({ ...lawful[0]?.ask, operation: id, params: { id: '1' }, key });
          // Errors must keep their form whatever language the client prefers.
          for (const { ask } of lawful)
            for (const [turn, params] of [
              ...nearParams(operations[id].path, ask.params ?? {}, newId, patterns),
            ].entries())
              await send({
                ...ask,
                params,
                key,
                ...(turn % 2 === 0 && { headers: { 'accept-language': 'de, en;q=0.5' } }),
              });
        },
      };
    }
  }
  const { tenant } = deployment;
  const [spare] = sparesOf(tenant);
  if (spare === undefined)
    yield { id: 'near-ids/labels', feeds: [...feeds, ...sites], missing: ['tenants[0].spareLabel'] };
  else for (const record of holdersOf(tenant)) yield ofLabels(record, spare.id);
  for (const { slug, field } of missingHolders(tenant, 0))
    yield { id: `near-ids/labels/${slug}`, feeds: [...feeds, ...sites], missing: [field] };

  function ofLabels(record: KnownHolder, label: string): Situation {
    const { apply, remove } = labelOperations[record.holder.kind];
    return {
      id: `near-ids/labels/${record.slug}`,
      title: `a label is written to ${record.words}, with nearly right ids of the label and of the record`,
      feeds: [...feeds, ...sites],
      // Without the removal, nothing may be applied.
      uses: [remove],
      locks: [holderKey(record.holder)],
      writes: 'labels',
      async run(scene) {
        const keyOf = (id: OperationId) => {
          const [key] = keysFor(deployment, id, tenant);
          return key && { key };
        };
        const params = holderParams(record.holder, label);
        const removal = await scene.send({ operation: remove, params, ...keyOf(remove) });
        // The label is applied before the near misses, so that it is undone at the end whatever they do.
        const ids = succeeded(removal) ? [apply, remove] : [remove];
        const writes = ids.flatMap((id) => deployment.operation(id) ?? []);
        for (const { id } of writes) if (id === apply) await scene.send({ operation: id, params, ...keyOf(id) });
        // The same ids for both, so that a record that the deployment makes for one does not keep the label.
        const nears = [...nearParams(operations[remove].path, params, scene.newId, ownPatterns)];
        for (const { id, path } of writes) {
          for (const near of nears) await scene.send({ operation: id, params: near, ...keyOf(id) });
          for (const near of [scene.newId(), ...nearUuid(label), ownPattern(label)])
            await scene.send({ operation: id, params: { ...params, labelId: near }, ...keyOf(id) });
          if (id === remove) await missPath(scene, { id, path, params });
        }
        if (ids.includes(apply)) {
          // Shows whether a near miss has removed the label, before it is written again.
          const context = record.holder.kind === 'conversation' && deployment.operation('getConversationContext');
          const [reader] = context ? keysWith(tenant, context.scopes) : [];
          const [writer] = keysFor(deployment, apply, tenant);
          const carried = carriedIn(removal, tenant);
          await showLabels(scene, { holder: record, reader, writer, second: sparesOf(tenant)[1], carried });
        }
        for (const { id } of writes) await scene.send({ operation: id, params, ...keyOf(id) });
      },
    };
  }

  async function missPath(
    scene: Scene,
    { id, path, params }: { id: OperationId; path: string; params: Readonly<Record<string, string>> },
  ): Promise<void> {
    const [key] = keysFor(deployment, id, tenant);
    for (const miss of nearMisses(deployment, { id, path }, params)) await scene.send({ ...miss, ...(key && { key }) });
  }
};
