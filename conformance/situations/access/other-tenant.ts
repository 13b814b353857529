import type { TargetTenant } from '../../../spec/files/target.ts';
import { operations } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { Generate, Situation } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { type Holder, holderKey, holderParams, labelOperations, labelWriteOf } from '../../target/holder.ts';
import { type KeyOfTenant, keysFor, keysWith } from '../../target/keys.ts';
import { holdersOf, type KnownHolder, type NamedLabel, sparesOf } from '../../target/records.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import { ifChanged, inOtherCase, spellingsOf } from '../asking/spellings.ts';
import { labelScene } from '../labels/label-holder.ts';
import { refusedWrites } from './refused-writes.ts';

const feeds: readonly RuleId[] = ['isolation/reads-stay-in-tenant', 'isolation/writes-stay-in-tenant'];

/** The records of one tenant, and the other tenant, whose keys are used. */
interface Crossing {
  readonly deployment: Deployment;
  readonly owner: TargetTenant;
  readonly visitor: TargetTenant;
  /** Of the ids of situations. */
  readonly prefix: string;
}

/** Each operation on each record of one tenant with keys of the other, and on links between records of both. */
export const otherTenant: Generate = function* (deployment) {
  const { tenant, stranger } = deployment;
  if (stranger === undefined) {
    yield { id: 'other-tenant', feeds, missing: ['tenants[1]'] };
    return;
  }
  for (const [owner, visitor, whose] of [
    [tenant, stranger, 'ours'],
    [stranger, tenant, 'theirs'],
  ] as const) {
    const crossing = { deployment, owner, visitor, prefix: `other-tenant/${whose}` };
    for (const generate of [ofRecords, ofLabels, ofMixtures]) yield* generate(crossing);
  }
  yield labelLists(tenant, stranger);
};

function* ofRecords({ deployment, owner, visitor, prefix }: Crossing): Generator<Situation> {
  for (const { id, scopes } of deployment.operations) {
    const about = lawfulAsks(id, deployment, () => '', owner).some(({ ask }) => ask.params !== undefined);
    if (!about || labelWriteOf(id, {}) !== null) continue;
    yield {
      id: `${prefix}/${id}`,
      title: `${id} on every record of ${owner.name} with keys of ${visitor.name}`,
      feeds,
      uses: [id],
      async run({ send, newId }) {
        const keys = keysWith(visitor, scopes);
        const asks = lawfulAsks(id, deployment, newId, owner);
        for (const [turn, { ask }] of asks.entries()) {
          const key = keys[turn % keys.length];
          if (key === undefined) continue;
          const [ownKey] = operations[id].method === 'GET' ? keysWith(owner, scopes) : [];
          const read = ownKey && (await send({ ...ask, key: ownKey }));
          await send({ ...ask, key });
          // A deployment may compare the ETag before it looks at the tenant.
          const condition = ifChanged(read);
          if (condition) await send({ ...ask, key, ...condition });
          for (const spelling of [...spellingsOf(ask), naming(owner.name, ask)])
            await send({ ...spelling, key: keys[0] ?? key });
        }
        // The others, too: a deployment may ask for the tenant of some keys only.
        for (const [turn, key] of keys.entries())
          if (turn >= asks.length) await send({ ...asks[turn % asks.length]?.ask, operation: id, key });
      },
    };
  }
}

/** A deployment behind a gateway may take the tenant from a header or a query that the gateway should have set. */
const naming = (tenant: string, ask: Ask): Ask => ({
  ...ask,
  headers: { 'x-tenant': tenant, 'x-tenant-id': tenant },
  query: `?tenant=${encodeURIComponent(tenant)}`,
  twist: 'header/tenant',
});

const writesInOtherCase = ({ holder }: KnownHolder, label: NamedLabel, keys: readonly KeyOfTenant[]) =>
  keys
    .slice(0, 1)
    .flatMap((key) =>
      inOtherCase(holderParams(holder)).map((params) => ({ params: { ...params, labelId: label.id }, key })),
    );

/** Writes to the owner's records with keys of the visitor, of the owner's labels and of the visitor's. */
function* ofLabels({ deployment, owner, visitor, prefix }: Crossing): Generator<Situation> {
  const [label] = sparesOf(owner);
  const [ownSpare] = sparesOf(visitor);
  for (const record of holdersOf(owner)) {
    const { apply, remove } = labelOperations[record.holder.kind];
    const keys = keysFor(deployment, apply, visitor);
    const base = {
      feeds,
      uses: [apply, remove],
      // All need the same few keys. Run at the same time, they would only wait for each other and keep others waiting.
      locks: [holderKey(record.holder), prefix],
      writes: 'labels' as const,
    };
    if (label !== undefined)
      yield {
        ...base,
        id: `${prefix}/labels/${record.slug}`,
        title: `a label of ${owner.name} is applied to and removed from ${record.words} of ${owner.name} with keys of ${visitor.name}`,
        async run(scene) {
          const plain = keys.map((key) => ({ key }));
          const hasOtherCase = inOtherCase(holderParams(record.holder)).length > 0;
          const inCapitals = hasOtherCase ? plain.slice(0, 1).map((way) => ({ ...way, otherCase: true as const })) : [];
          await refusedWrites(scene, record, [...plain, ...inCapitals], plain.slice(0, 1));
        },
      };
    if (ownSpare !== undefined)
      yield {
        ...base,
        id: `${prefix}/labels-of-the-other/${record.slug}`,
        title: `a label of ${visitor.name} is applied to and removed from ${record.words} of ${owner.name} with keys of both`,
        async run(scene) {
          const prepared = await labelScene(scene, record);
          if (prepared === null) return;
          const params = holderParams(record.holder, ownSpare.id);
          // If both tenants have a record with this id, the visitor writes its own record, and the owner's must not change.
          const [ownWriter] = prepared.writers;
          for (const key of [...keys.slice(0, 1), ...(ownWriter ? [ownWriter] : [])]) {
            await scene.send({ operation: apply, params, key });
            await prepared.show();
            // The removal may hit a label of the owner with the same name.
            if (key === ownWriter && ownSpare.id !== label?.id) await prepared.write('apply', prepared.spare.id, key);
            await scene.send({ operation: remove, params, key });
            await prepared.show();
          }
          for (const write of writesInOtherCase(record, ownSpare, keys))
            for (const operation of [apply, remove]) {
              await scene.send({ ...write, operation });
              await prepared.show();
            }
        },
      };
  }
}

/** Links between a record of the owner and a record of the visitor. */
function* ofMixtures({ deployment, owner, visitor, prefix }: Crossing): Generator<Situation> {
  const ends = [owner.clientSite, visitor.clientSite];
  const [label] = sparesOf(visitor);
  const [ours, theirs] = ends;
  if (ours === undefined || theirs === undefined || label === undefined || ours.site === theirs.site) return;
  const mixed: readonly Holder[] = [
    { kind: 'link', clientId: ours.client, siteId: theirs.site },
    { kind: 'link', clientId: theirs.client, siteId: ours.site },
  ];
  const { apply, remove } = labelOperations.link;
  const [key] = keysFor(deployment, apply, visitor);
  if (key === undefined) return;
  yield {
    id: `${prefix}/mixed-links`,
    title: `links of a client of one tenant and a site of the other, with a key of ${visitor.name}`,
    feeds,
    uses: [apply, remove],
    writes: 'labels',
    async run({ send }: Scene) {
      for (const holder of mixed)
        for (const operation of [apply, remove]) await send({ operation, params: holderParams(holder, label.id), key });
    },
  };
}

/** The lists of labels of both tenants. */
function labelLists(tenant: TargetTenant, stranger: TargetTenant): Situation {
  return {
    id: 'other-tenant/label-lists',
    title: 'labels listed to both tenants, at once and in turn',
    feeds,
    uses: ['listLabels'],
    async run({ send }) {
      const keys = [tenant, stranger].flatMap((one) => keysWith(one, []).slice(0, 1));
      for (const key of keys) await send({ operation: 'listLabels', key });
      await Promise.all([...keys, ...keys].map((key) => send({ operation: 'listLabels', key })));
    },
  };
}
