/**
 * Writes with a reason to be refused: everybody without a valid key, keys without the scope, keys of the other tenant, labels and records that
 * are not to be had. On a record with one spare label on it and one off, no such write may put the other on or take the one off. Several share
 * a look; if it surprises, each is tried alone.
 */
import type { RuleId } from '../../spec/rules.ts';
import { caseOf, demandedOf } from '../contract/case.ts';
import { factsOf, type Request, valid } from '../contract/request.ts';
import type { Bench } from '../experiments/bench.ts';
import { effectOf } from '../experiments/model.ts';
import type { RecordUnderTest } from '../experiments/record.ts';
import { lookAfter } from '../experiments/write.ts';
import type { Trial } from '../history/exchange.ts';
import type { LabelKind, Owner } from '../history/facts.ts';
import { keysFor } from '../target/deployment.ts';
import { holderKey, holderParams, type LabelAct } from '../target/holder.ts';
import { holdersOf, isSpare, privatesOf, sparesOf, tenantsOf } from '../target/records.ts';
import { keysWithout, pathOf, refusedFor, spellings } from './callers.ts';
import { type Generate, onRecords } from './script.ts';

/** Requests that share a look. */
const perLook = 12;
/** How often each of them is tried alone. */
const roundsAlone = 4;

function refusedWrites(b: Bench, record: RecordUnderTest, act: LabelAct): Request[] {
  const { deployment } = b;
  const { tenant, known } = record;
  const operation = record.operation(act);
  const isOurs = tenant.name === deployment.tenant.name;
  const [x = '', y = b.scene.newId()] = record.spares.map(({ id }) => id);
  const [label, idle] = act === 'apply' ? [y, x] : [x, y];
  const own = record.nextKey(b, operation);
  const others = tenantsOf(deployment).filter((one) => one !== tenant);
  const [foreign] = others.flatMap((one) => keysFor(deployment, operation, one)).map(valid);
  const theirHolders = others.flatMap(holdersOf).map(({ holder }) => holder);
  // Where both tenants have a record with this id, each writes to its own, and only the label is foreign, if it is.
  const isShared = theirHolders.some((holder) => holderKey(holder) === holderKey(known.holder));
  const ofLabels = (kind: LabelKind, ids: readonly string[]) =>
    ids.map((id) => record.request(b, act, id, { who: own, kind }));
  // An id may end as the odd one does, and both tenants may have a client or a site with it: what has only ids of ours is no other record.
  const ownIds = new Set(holdersOf(tenant).flatMap(({ holder }) => Object.values(holderParams(holder))));
  const at = (place: Owner, change: (name: string, id: string) => string): Request[] => {
    const request = record.request(b, act, label, { who: own, owner: place });
    const ids = Object.entries(request.place.params);
    const params = Object.fromEntries(ids.map(([name, id]) => [name, change(name, id)]));
    const isOther = Object.values(params).some((id) => !ownIds.has(id));
    return isOther ? [{ ...request, place: { ...request.place, params } }] : [];
  };
  /** Records of one kind share what is odd, so that each operation gets all of it. */
  const alike = holdersOf(tenant).filter(({ holder }) => holder.kind === known.holder.kind).length;
  const shared = <T>(purpose: string, all: readonly T[], by = alike, keys?: number): T[] =>
    b.share(`${operation} of ${tenant.name}: ${purpose}`, all, by, keys);
  const owns = record.keys(b, operation).length;
  const privates = privatesOf(tenant).map(({ id }) => id);
  const capitals = privates.map((id) => id.toUpperCase());
  // Tenants may share a catalogue of labels.
  const theirSpares = others
    .flatMap(sparesOf)
    .filter(({ id }) => !isSpare(tenant, id))
    .map(({ id }) => id);
  const odd = spellings(pathOf(b, record.request(b, act, label)), tenant.name).filter(
    ({ means }) => means !== 'lawful',
  );
  const requests = [
    ...refusedFor(b, {
      operation,
      tenant,
      alike,
      crosses: !(isShared && others.some((one) => isSpare(one, label))),
      ask: (who, of) =>
        of === 'theirs'
          ? record.request(b, act, label, { who, owner: isShared ? 'ours' : of, kind: 'foreign' })
          : record.request(b, act, label, { who }),
      changes: isOurs ? odd : [],
    }),
    ...(isShared || foreign === undefined ? [] : theirSpares).map((id) =>
      record.request(b, act, id, { who: foreign, owner: 'theirs', kind: 'foreign' }),
    ),
    ...ofLabels('foreign', theirSpares),
    ...ofLabels('private', [...privates, ...shared('capitals', capitals, alike, owns)]),
    // A client of one tenant and a site of the other are no link of either.
    ...theirHolders.flatMap((holder) =>
      holder.kind === 'link' && known.holder.kind === 'link'
        ? (['clientId', 'siteId'] as const).flatMap((field) =>
            at('theirs', (name, id) => (name === field ? holder[field] : id)),
          )
        : [],
    ),
  ];
  // What crosses tenants is tried both ways, the rest mostly on records of the tenant under test.
  if (!isOurs) return shared('theirs', requests, 2);
  const theirPrivates = others.flatMap(privatesOf).map(({ id }) => id);
  const lacking = keysWithout(b, operation, tenant).slice(0, 2);
  const ofNobody = at('nobody', (_, id) => `${id.replace(/[0-9a-f]{8}-.*|^\d+$/i, '')}${b.scene.newId()}`);
  // Of two reasons to be refused, either may come first: a profile says which.
  const ofTwo = lacking
    .slice(0, 1)
    .flatMap((who) => [
      ...ofNobody.map((one) => ({ ...one, who })),
      record.request(b, act, 'no-label', { who, kind: 'malformed' }),
    ]);
  return [
    ...requests,
    ...ofLabels('foreign', shared('their private', theirPrivates.slice(0, 1))),
    ...shared('idle', lacking).map((who) => record.request(b, act, idle, { who })),
    ...ofLabels('unknown', [b.scene.newId()]),
    ...shared('two reasons', ofTwo, alike, owns),
    // A path without the version leads nowhere. Records that nobody has, and ids that a careless look-up takes for ours.
    ...shared(
      'odd',
      [
        ...odd
          .filter(({ id }) => id === 'without the version')
          .map((change) => record.request(b, act, label, { who: own, change })),
        ...ofNobody,
        ...['%', '_'].flatMap((end) => at('malformed', (_, id) => `${id.slice(0, -1)}${end}`)),
        ...at('malformed', () => '%'),
        ...ofLabels('malformed', [
          'no-label',
          '%',
          `${label}x`,
          ...['%', '_'].map((end) => `${label.slice(0, -1)}${end}`),
        ]),
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
  const [demanding] = demandedOf(asked);
  if (demanding) return demanding.statusRule ?? demanding.rule;
  if (request.label?.kind === 'private')
    return isApply ? 'labels/private-cannot-be-applied' : 'labels/private-cannot-be-removed';
  if (request.label?.kind === 'foreign') return 'isolation/writes-stay-in-tenant';
  return asked.lacks === 'none' ? usual : 'scopes/missing-scope-is-403';
}

/** Writes that must have no effect, on a record with one spare label on it and one off. */
export async function refusedOn(b: Bench, record: RecordUnderTest, writes: (act: LabelAct) => readonly Request[]) {
  const [x, y] = record.spares.map(({ id }) => id);
  if (x === undefined) return;
  const state = new Set([x]);
  const batches = (['apply', 'remove'] as const).flatMap((act) => {
    const all = b.shuffled(writes(act));
    const inQuestion = act === 'apply' ? y : x;
    return Array.from({ length: Math.ceil(all.length / perLook) }, (_, i) => ({
      inQuestion,
      batch: all.slice(i * perLook, (i + 1) * perLook),
    }));
  });
  // Where labels cannot be put on or taken off, other rules say so.
  if (!(await record.establish(b, state))) return;
  for (const { inQuestion, batch } of b.shuffled(batches)) {
    await Promise.all(batch.map((request) => record.send(b, request, { part: 'refused' })));
    // Which of them did it is not known yet, so nothing is judged by this look.
    const signs = await record.look(b, { rule: null, inQuestion });
    if (signs.length > 0) await tryAlone(b, record, batch, state, inQuestion);
  }
  await record.establish(b, new Set());
}

/** One of them did it, perhaps not each time: some rounds, until one shows it. */
async function tryAlone(
  b: Bench,
  record: RecordUnderTest,
  batch: readonly Request[],
  state: ReadonlySet<string>,
  inQuestion: string | undefined,
) {
  const rounds = () => (record.isSpent(b) ? 1 : roundsAlone);
  for (let round = 0, isFound = false; round < rounds() && !isFound; round++)
    for (const request of batch) {
      if (!(await record.establish(b, state))) return;
      const act = (bench: Bench, trial?: Trial) => record.send(bench, request, { part: 'refused', trial });
      await act(b);
      const step = { rule: effectRuleOf(b, request), before: state, after: state, act, inQuestion };
      if (await lookAfter(b, record, step)) isFound = true;
    }
  await record.establish(b, state);
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
export const refusedWriteScripts: Generate = (deployment) =>
  onRecords(
    deployment,
    'refusals/writes',
    () => tries,
    (words) => `labels of ${words} are written in every way that must be refused`,
    (b, record) => refusedOn(b, record, (act) => refusedWrites(b, record, act)),
  );
