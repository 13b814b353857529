/**
 * Writes with a reason to be refused: everybody without a valid key, keys without the scope, keys of the other tenant, labels and records that
 * are not to be had. On a record with one spare label on it and one off, no such write may put the other on or take the one off. Several share
 * a look; if it surprises, each is tried alone.
 */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { caseOf } from '../contract/case.ts';
import { reasonsOf } from '../contract/reasons.ts';
import { factsOf, type Request, valid } from '../contract/request.ts';
import { Bench } from '../experiments/bench.ts';
import { shelfOf } from '../experiments/learn.ts';
import type { Shelf } from '../experiments/shelf.ts';
import { effectOf, examineStep } from '../experiments/write.ts';
import type { Owner } from '../history/facts.ts';
import { holderKey, type LabelAct, labelOperations } from '../target/holder.ts';
import { keysFor } from '../target/keys.ts';
import { holdersOf, privatesOf, sparesOf, tenantsOf } from '../target/records.ts';
import { keysWithout, pathOf, someSpellings, someWrongCallers, spellings, wrongCallers } from './callers.ts';
import type { Generate } from './script.ts';

/** Requests that share a look. */
const perLook = 12;
/** How often each of them is tried alone. */
export const roundsAlone = 4;

function refusedWrites(b: Bench, shelf: Shelf, act: LabelAct): Request[] {
  const { deployment } = b;
  const operation = shelf.operation(act);
  const isOurs = shelf.tenant.name === deployment.tenant.name;
  const [x = '', y = b.scene.newId()] = shelf.spares.map(({ id }) => id);
  const [label, idle] = act === 'apply' ? [y, x] : [x, y];
  const own = shelf.nextKey(b, operation);
  const others = tenantsOf(deployment).filter((one) => one !== shelf.tenant);
  const lacking = keysWithout(b, operation, shelf.tenant);
  const foreign = others
    .flatMap((one) => keysFor(deployment, operation, one))
    .slice(0, 3)
    .map(valid);
  // Where both tenants have a record with this id, each writes to its own, and only the label is foreign.
  const isShared = others.flatMap(holdersOf).some(({ holder }) => holderKey(holder) === holderKey(shelf.known.holder));
  const owner: Owner = isShared ? 'ours' : 'theirs';
  const at = (place: Owner, change: (name: string, id: string) => string): Request => {
    const request = shelf.request(b, act, label, { who: own, owner: place });
    const params = Object.entries(request.place.params).map(([name, id]) => [name, change(name, id)]);
    return { ...request, place: { ...request.place, params: Object.fromEntries(params) } };
  };
  /** Records of one kind share what is odd, so that each operation gets all of it. */
  const alike = holdersOf(shelf.tenant).filter(({ holder }) => holder.kind === shelf.known.holder.kind).length;
  const shared = <T>(purpose: string, all: readonly T[], by = alike, keys?: number): T[] =>
    b.share(`${operation} of ${shelf.tenant.name}: ${purpose}`, all, by, keys);
  const owns = shelf.keys(b, operation).length;
  const privates = privatesOf(shelf.tenant).map(({ id }) => id);
  // Tenants may share a catalogue of labels.
  const theirSpares = others.flatMap(sparesOf).filter(({ id }) => !shelf.spares.some((one) => one.id === id));
  const requests = [
    ...shared('lacking', lacking).map((who) => shelf.request(b, act, label, { who })),
    ...foreign.slice(0, isOurs ? 2 : 1).map((who) => shelf.request(b, act, label, { who, owner, kind: 'foreign' })),
    ...(isShared ? [] : foreign.slice(0, 1)).flatMap((who) =>
      theirSpares.map(({ id }) => shelf.request(b, act, id, { who, owner, kind: 'foreign' })),
    ),
    ...theirSpares.map(({ id }) => shelf.request(b, act, id, { who: own, kind: 'foreign' })),
    ...[
      ...privates,
      ...shared(
        'capitals',
        privates.map((id) => id.toUpperCase()),
        alike,
        owns,
      ),
    ].map((id) => shelf.request(b, act, id, { who: own, kind: 'private' })),
    // A client of one tenant and a site of the other are no link of either.
    ...others
      .flatMap(holdersOf)
      .flatMap(({ holder }) =>
        holder.kind === 'link' && shelf.known.holder.kind === 'link'
          ? [
              at('theirs', (name, id) => (name === 'clientId' ? holder.clientId : id)),
              at('theirs', (name, id) => (name === 'siteId' ? holder.siteId : id)),
            ]
          : [],
      ),
  ];
  const nobody = wrongCallers(deployment, b.scene.newId).slice(0, 2);
  // What crosses tenants is tried both ways, the rest mostly on records of the tenant under test.
  if (!isOurs) return shared('theirs', [...requests, ...nobody.map((who) => shelf.request(b, act, label, { who }))], 2);
  const odd = spellings(pathOf(b, shelf.request(b, act, label)), shelf.tenant.name).filter(
    ({ means }) => means !== 'lawful',
  );
  const ways = [
    ...nobody.slice(0, 1).map((who) => ({ who })),
    ...lacking.slice(0, 1).map((who) => ({ who })),
    ...(isShared ? [] : foreign.slice(0, 1)).map((who) => ({ who, owner, kind: 'foreign' as const })),
  ];
  return [
    ...requests,
    ...shared('their private', others.flatMap(privatesOf).slice(0, 1)).map(({ id }) =>
      shelf.request(b, act, id, { who: own, kind: 'foreign' }),
    ),
    ...someWrongCallers(b, operation, alike).map((who) => shelf.request(b, act, label, { who })),
    ...shared('idle', lacking.slice(0, 2)).map((who) => shelf.request(b, act, idle, { who })),
    ...someSpellings(b, odd, ways).map(({ change, way }) => shelf.request(b, act, label, { ...way, change })),
    shelf.request(b, act, b.scene.newId(), { who: own, kind: 'unknown' }),
    // A path without the version leads nowhere. Records that nobody has, and ids that a careless look-up takes for ours.
    ...shared(
      'odd',
      [
        ...odd
          .filter(({ id }) => id === 'without the version')
          .map((change) => shelf.request(b, act, label, { who: own, change })),
        at('nobody', (_, id) => `${id.replace(/[0-9a-f]{8}-.*|^\d+$/i, '')}${b.scene.newId()}`),
        ...['%', '_'].map((end) => at('malformed', (_, id) => `${id.slice(0, -1)}${end}`)),
        at('malformed', () => '%'),
        ...['no-label', '%', `${label}x`, `${label.slice(0, -1)}%`, `${label.slice(0, -1)}_`].map((id) =>
          shelf.request(b, act, id, { who: own, kind: 'malformed' }),
        ),
      ],
      alike,
      owns,
    ),
  ];
}

/** The rule that a refused write breaks if it has an effect. */
function effectRuleOf(b: Bench, request: Request): RuleId {
  const key = request.who.key === null ? null : `${request.who.key.tenant}/${request.who.key.name}`;
  const asked = caseOf({ operation: request.operation, facts: factsOf(request), key }, b.deployment);
  const isApply = request.operation.startsWith('apply');
  const usual: RuleId = effectOf(isApply ? 'apply' : 'remove');
  if (asked === null) return usual;
  const demanding = reasonsOf(asked).find((reason) => reason.rule(asked) !== null);
  if (demanding) return demanding.statusRule ?? demanding.rule(asked) ?? usual;
  if (request.label?.kind === 'private')
    return isApply ? 'labels/private-cannot-be-applied' : 'labels/private-cannot-be-removed';
  if (request.label?.kind === 'foreign') return 'isolation/writes-stay-in-tenant';
  return asked.lacks === 'none' ? usual : 'scopes/missing-scope-is-403';
}

/** Writes that must have no effect, on a record with one spare label on it and one off. */
export async function refusedOn(b: Bench, shelf: Shelf, writes: (act: LabelAct) => readonly Request[]) {
  const [x, y] = shelf.spares.map(({ id }) => id);
  if (x === undefined) return;
  const state = new Set([x]);
  const batches = (['apply', 'remove'] as const).flatMap((act) => {
    const all = b.shuffled(writes(act));
    const guarded = act === 'apply' ? y : x;
    return Array.from({ length: Math.ceil(all.length / perLook) }, (_, i) => ({
      guarded,
      batch: all.slice(i * perLook, (i + 1) * perLook),
    }));
  });
  // Where labels cannot be put on or taken off, other rules say so.
  if (!(await shelf.establish(b, state))) return;
  for (const { guarded, batch } of b.shuffled(batches)) {
    await Promise.all(batch.map((request) => b.send(request, { step: shelf.step('refused', null) })));
    // Which of them did it is not known yet, so nothing is judged by this look.
    const differences = await shelf.look(b, { rule: null, guarded });
    if (differences.length > 0) await tryAlone(b, shelf, batch, state, guarded);
  }
  await shelf.establish(b, new Set());
}

/** One of them did it, perhaps not each time: some rounds, until one shows it. */
export async function tryAlone(
  b: Bench,
  shelf: Shelf,
  batch: readonly Request[],
  state: ReadonlySet<string>,
  guarded: string | undefined,
) {
  const rounds = () => (shelf.isSpent(b) ? 1 : roundsAlone);
  for (let round = 0, isFound = false; round < rounds() && !isFound; round++)
    for (const request of batch) {
      if (!(await shelf.establish(b, state))) return;
      await b.send(request, { step: shelf.step('refused', null) });
      const rule = effectRuleOf(b, request);
      const differences = await shelf.look(b, { rule, guarded });
      if (differences.length === 0) continue;
      isFound = true;
      await examineStep(b, shelf, differences, {
        rule,
        before: state,
        after: state,
        act: async (bench, trial) => {
          await bench.send(request, { step: shelf.step('refused', null), trial });
          return [];
        },
        guarded,
      });
    }
  await shelf.establish(b, state);
}

const tries: readonly RuleId[] = [
  'scopes/missing-scope-is-403',
  'isolation/writes-stay-in-tenant',
  'labels/private-cannot-be-applied',
  'labels/private-cannot-be-removed',
  'scopes/conversation-labels-need-conversation-write',
  'scopes/link-remove-needs-both',
  'auth/no-key-is-403',
  'auth/unknown-key-is-403',
  'auth/bearer-is-not-supported',
  'auth/header-is-required',
  'versioning/v1-prefix',
  'errors/body',
];

/** On each record: no write that must be refused has an effect. */
export const refusedWriteScripts: Generate = function* (deployment) {
  for (const [index, tenant] of tenantsOf(deployment).entries())
    for (const known of holdersOf(tenant)) {
      const id = `refusals/writes/${index === 0 ? '' : 'theirs/'}${known.slug}`;
      const { apply, remove } = labelOperations[known.holder.kind];
      if (sparesOf(tenant).length === 0) {
        yield { id, tries, missing: [`tenants[${index}].spareLabel`] };
        continue;
      }
      yield {
        id,
        title: `labels of ${known.words} of ${tenant.name} are written in every way that must be refused`,
        tries,
        uses: [apply, remove],
        locks: [holderKey(known.holder)],
        writes: 'labels',
        run: (scene) => refused(new Bench(scene, scene.state), known, tenant),
      };
    }
};

async function refused(b: Bench, known: Parameters<typeof shelfOf>[1], tenant: TargetTenant) {
  const shelf = await shelfOf(b, known, tenant);
  if (shelf.views.size > 0) await refusedOn(b, shelf, (act) => refusedWrites(b, shelf, act));
}
