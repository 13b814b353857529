/** The labels of a record: what each write does to it and to others, also where two come together. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { uuid } from '../../spec/text/uuid.ts';
import { isUnavailable } from '../contract/judge.ts';
import { type Change, lawful, nowhere, open, valid } from '../contract/request.ts';
import { Bench } from '../experiments/bench.ts';
import type { Difference } from '../experiments/differences.ts';
import { shelfOf } from '../experiments/learn.ts';
import type { Shelf } from '../experiments/shelf.ts';
import { examine } from '../experiments/trial.ts';
import { effectOf, examineStep, write } from '../experiments/write.ts';
import { type Exchange, isObject, jsonOf, succeeded, type Trial, valuesOf } from '../history/exchange.ts';
import type { LabelKind } from '../history/facts.ts';
import type { Deployment } from '../target/deployment.ts';
import { holderKey, type LabelAct, labelOperations } from '../target/holder.ts';
import { type KeyOfTenant, keysFor } from '../target/keys.ts';
import { holdersOf, type KnownHolder, missingHolders, sparesOf, tenantsOf } from '../target/records.ts';
import { roundsAlone } from './refusals.ts';
import type { Generate, Script } from './script.ts';

interface Write {
  readonly act: LabelAct;
  readonly label: string;
  readonly kind?: LabelKind;
}

const apply = (label: string): Write => ({ act: 'apply', label });
const remove = (label: string): Write => ({ act: 'remove', label });

const effects: readonly RuleId[] = [
  'labels/apply-adds',
  'labels/apply-is-idempotent',
  'labels/remove-removes',
  'labels/remove-is-idempotent',
  'labels/membership-is-a-set',
  'labels/conversation-apply',
  'labels/conversation-remove',
  'labels/site-apply',
  'labels/link-remove',
  'labels/site-label-set',
  'labels/paths-and-methods',
];

/** The same write in other words. */
const inOtherWords: readonly Change[] = [
  open('Authorization beside the key', { headers: { authorization: 'Bearer x' } }),
  open('a body', { body: {} }),
  open('a query', { query: '?x=1' }),
  lawful('an encoded id', { encoded: true }),
];

/** Milliseconds for which a label must stay where it was put. */
const staying = 1_200;

/** A script about the labels of one record. */
function* ofRecords(
  deployment: Deployment,
  kind: string,
  title: (words: string) => string,
  run: (b: Bench, shelf: Shelf) => Promise<void>,
  isMeant: (known: KnownHolder, all: readonly KnownHolder[], tenant: number) => boolean = () => true,
): Generator<Script | { id: string; tries: readonly RuleId[]; missing: readonly string[] }> {
  for (const [index, tenant] of tenantsOf(deployment).entries()) {
    const at = index === 0 ? '' : 'theirs/';
    const idOf = (slug: string) => `labels/${kind}/${at}${slug}`;
    for (const { slug, field } of index === 0 ? missingHolders(tenant, index) : [])
      yield { id: idOf(slug), tries: effects, missing: [field] };
    for (const known of holdersOf(tenant).filter((one, _, all) => isMeant(one, all, index)))
      if (sparesOf(tenant).length === 0)
        yield { id: idOf(known.slug), tries: effects, missing: [`tenants[${index}].spareLabel`] };
      else yield ofRecord(idOf(known.slug), known, tenant, title, run);
  }
}

function ofRecord(
  id: string,
  known: KnownHolder,
  tenant: TargetTenant,
  title: (words: string) => string,
  run: (b: Bench, shelf: Shelf) => Promise<void>,
): Script {
  const { apply: put, remove: take } = labelOperations[known.holder.kind];
  return {
    id,
    title: title(`${known.words} of ${tenant.name}`),
    tries: known.slug === 'closed-conversation' ? [...effects, 'labels/closed-conversation-can-be-labelled'] : effects,
    uses: [put, take],
    locks: [holderKey(known.holder)],
    writes: 'labels',
    async run(scene) {
      const b = new Bench(scene, scene.state);
      const shelf = await shelfOf(b, known, tenant);
      if (shelf.views.size > 0) await run(b, shelf);
    },
  };
}

const isOurs = (b: Bench, { tenant }: Shelf) => tenant.name === b.deployment.tenant.name;

/** Every transition of two labels, the usual ones twice, then the same in other words and with every key. */
async function lifeOf(b: Bench, shelf: Shelf) {
  const [x, y] = shelf.spares.map(({ id }) => id);
  if (x === undefined) return;
  await shelf.establish(b, new Set());
  // Windows in which nothing is written: what changes in them changes by itself.
  for (let n = 0; n < (isOurs(b, shelf) ? 3 : 1); n++) {
    await b.sleep(n * 100);
    await shelf.look(b, { rule: null });
  }
  const both = y === undefined ? [] : [apply(y), apply(x), remove(x), apply(x), remove(y), remove(y)];
  const ours = [apply(x), apply(x), ...both, remove(x), remove(x)];
  const writes = isOurs(b, shelf) ? ours : [apply(x), apply(x), remove(x), remove(x)];
  for (const { act, label } of writes) await write(b, shelf, act, label);
  if (!isOurs(b, shelf)) return;
  await write(b, shelf, 'apply', x, { wait: staying });
  await write(b, shelf, 'remove', x);
  await carriedAgain(b, shelf);
  if (shelf.isSpent(b)) return;
  const isFirst = !/closed|legacy|other/.test(shelf.known.slug);
  const [putters = [], takers = []] = (['apply', 'remove'] as const).map((act) => shelf.keys(b, shelf.operation(act)));
  const most = Math.max(putters.length, takers.length);
  for (const change of isFirst ? b.share('other words', inOtherWords, 1, most) : [])
    for (const act of ['apply', 'remove'] as const) await write(b, shelf, act, x, { change });
  // One key has written all before.
  for (let i = 0; most > 1 && i < most; i++) {
    const [putter, taker] = [putters, takers.toReversed()].map((keys) => valid(keys[i % keys.length] as KeyOfTenant));
    if (putter) await write(b, shelf, 'apply', x, { who: putter });
    if (taker) await write(b, shelf, 'remove', x, { who: taker });
  }
}

/** Labels that the product has put on: listed, shown by every reply about the record, and none of ours. */
async function fromInside(b: Bench, shelf: Shelf): Promise<readonly string[]> {
  const [key] = keysFor(b.deployment, 'listLabels', shelf.tenant);
  if (key === undefined) return [];
  const list = await b.send({ operation: 'listLabels', who: valid(key), place: nowhere });
  const shown = [...shelf.foreign.values()];
  const isShown = (value: unknown) =>
    typeof value === 'string' && shown.every((tokens) => tokens.has(value.toLowerCase()));
  const records = valuesOf(jsonOf(list)).flatMap(([, value]) => (isObject(value) ? [value] : []));
  // A record may name other labels as well, such as its parent: its own id stands where the spare label has its own.
  const isSpare = (value: unknown) => shelf.spares.some(({ id }) => id === String(value).toLowerCase());
  const [place] = records.flatMap((record) => Object.keys(record).find((name) => isSpare(record[name])) ?? []);
  return records.flatMap((record) => {
    const id = place === undefined ? undefined : record[place];
    const isOn = shown.length > 0 && Object.values(record).some(isShown);
    return isOn && typeof id === 'string' && uuid.test(id) && !isSpare(id) ? [id] : [];
  });
}

/** To apply a label that the product has put on must succeed and change nothing. */
async function carriedAgain(b: Bench, shelf: Shelf) {
  const [label] = await fromInside(b, shelf);
  if (label === undefined) return;
  for (let n = 0; n < 2; n++) await write(b, shelf, 'apply', label, { kind: 'carried' });
}

/** Two writes at once have the effects of both, in some order. */
async function atOnce(b: Bench, shelf: Shelf) {
  const [x, y] = shelf.spares.map(({ id }) => id);
  if (x === undefined) return;
  const pairs: (readonly [Write, Write])[] = [
    [apply(x), apply(x)],
    [apply(x), { act: 'remove', label: b.scene.newId(), kind: 'unknown' }],
    ...(y
      ? ([
          [apply(x), apply(y)],
          [remove(x), remove(y)],
          [apply(x), remove(y)],
        ] as const)
      : []),
  ];
  for (const pair of pairs) await together(b, shelf, pair);
  // The rest is for what is tried the first time, and so is a key on which all depends.
  const isOver = shelf.isSpent(b, 0.6) || shelf.keys(b, shelf.operation('apply')).length === 1;
  for (const pair of isOver ? [] : pairs) await together(b, shelf, pair);
  await shelf.establish(b, new Set());
}

async function together(b: Bench, shelf: Shelf, pair: readonly [Write, Write]) {
  const [one, two] = pair;
  const spare = (does: LabelAct) =>
    new Set(pair.flatMap(({ act, label, kind }) => (act === does && kind === undefined ? [label] : [])));
  const [before, after] = [spare('remove'), spare('apply')];
  const rule: RuleId = one.label === two.label ? 'labels/apply-is-idempotent' : effectOf(one.act);
  const act = async (bench: Bench, trial?: Trial): Promise<readonly Exchange[]> => {
    const requests = pair.map(({ act: does, label, kind }, i) => {
      const keys = shelf.keys(b, shelf.operation(does)).map(valid);
      const who = keys[i % keys.length];
      return shelf.request(b, does, label, { ...(who && { who }), ...(kind && { kind }) });
    });
    // What each shows beside the other is open, so only a look afterwards is judged.
    return bench.together(
      requests,
      pair.map(() => ({ trial })),
    );
  };
  if (!(await shelf.establish(b, before))) return;
  const replies = await act(b);
  if (replies.some(isUnavailable)) {
    // Beside it, one after the other.
    const alone = async (bench: Bench, trial: Trial) => {
      const sent: Exchange[] = [];
      for (const { act: does, label, kind } of pair)
        sent.push(await bench.send(shelf.request(b, does, label, { ...(kind && { kind }) }), { trial }));
      return sent;
    };
    const isLost = async (sent: Promise<readonly Exchange[]>) => (await sent).some(isUnavailable);
    const script = (bench: Bench, trial: Trial) => isLost(act(bench, trial));
    await examine(b, { rule, sign: 'no usable reply', script, control: (bench, trial) => isLost(alone(bench, trial)) });
  }
  const isServed = replies.every((reply, i) => pair[i]?.kind === 'unknown' || succeeded(reply));
  if (!isServed) return void (await shelf.establish(b, after));
  shelf.carried = after;
  const differences = await shelf.look(b, { rule });
  if (differences.length > 0)
    await examineStep(b, shelf, differences, {
      rule,
      before,
      after,
      act: async (bench, trial) => {
        await act(bench, trial);
        return [];
      },
    });
}

const labelOf = (shelf: Shelf) => shelf.spares[0]?.id ?? '';
const carryingOf = (shelf: Shelf) => new Set([labelOf(shelf)]);

/** Groups of these, so few that for any two of them there is one group with the first and without the second. */
export function separating<T>(all: readonly T[]): readonly (readonly T[])[] {
  const subsets = (n: number, size: number): number[][] =>
    size === 0
      ? [[]]
      : Array.from({ length: n }, (_, last) => subsets(last, size - 1).map((rest) => [...rest, last])).flat();
  let n = 1;
  while (subsets(n, n >> 1).length < all.length) n++;
  const memberships = subsets(n, n >> 1);
  return Array.from({ length: n }, (_, group) => all.filter((_, i) => memberships[i]?.includes(group)));
}

/** Writes the first label of a record. @returns whether it is known what came of it */
async function writeOf(b: Bench, shelf: Shelf, act: LabelAct): Promise<boolean> {
  const after = shelf.after(act, labelOf(shelf));
  const exchange = await b.send(shelf.request(b, act, labelOf(shelf)), { step: shelf.step('write', null, after) });
  if (isUnavailable(exchange)) return false;
  if (succeeded(exchange)) shelf.carried = after;
  return true;
}

/** A write on one record must leave all others as they are. Several are written, and then all others looked at; where one differs, each write is tried alone. */
async function spreading(b: Bench, shelves: readonly Shelf[]) {
  const alive = shelves.filter(({ views }) => views.size > 0);
  const carry = () => Promise.all(alive.map((shelf) => shelf.establish(b, carryingOf(shelf))));
  await carry();
  // Labels are listed whether they are carried or not.
  for (const tenant of new Set(alive.map((shelf) => shelf.tenant)))
    for (const key of keysFor(b.deployment, 'listLabels', tenant).slice(0, 1))
      await b.send({ operation: 'listLabels', who: valid(key), place: nowhere });
  for (const group of separating(b.shuffled(alive)))
    for (const act of ['remove', 'apply'] as const) {
      const isKnown = await Promise.all(group.map((shelf) => writeOf(b, shelf, act)));
      if (!isKnown.every(Boolean)) {
        await carry();
        break;
      }
      const looked = alive.flatMap((other) => (group.includes(other) ? [] : [{ other, state: other.carried }]));
      // Which of them did it is not known yet, so nothing is judged by these looks.
      const found = await Promise.all(
        looked.map(({ other }) => other.look(b, { rule: null, guarded: labelOf(other) })),
      );
      const changed = looked.filter((_, i) => (found[i]?.length ?? 0) > 0).map(({ other }) => other);
      if (changed.length === 0) continue;
      const some = group.filter((shelf) => !shelf.isSpent(b));
      for (let round = 0, isFound = false; round < roundsAlone && !isFound; round++)
        for (const shelf of round === 0 ? group : some) if (await spreadsAlone(b, shelf, act, changed)) isFound = true;
      await carry();
      break;
    }
  await Promise.all(alive.map((shelf) => shelf.establish(b, new Set())));
}

/** @returns whether a write on this record changes others */
async function spreadsAlone(b: Bench, shelf: Shelf, act: LabelAct, others: readonly Shelf[]): Promise<boolean> {
  const before = act === 'remove' ? carryingOf(shelf) : new Set<string>();
  await shelf.establish(b, before);
  for (const other of others) await other.establish(b, carryingOf(other));
  if (!(await writeOf(b, shelf, act))) return false;
  let isFound = false;
  for (const other of others) {
    const rule: RuleId = other.tenant === shelf.tenant ? effectOf(act) : 'isolation/writes-stay-in-tenant';
    const differences: readonly Difference[] = await other.look(b, { rule, guarded: labelOf(other) });
    if (differences.length === 0) continue;
    isFound = true;
    const request = shelf.request(b, act, labelOf(shelf));
    await examineStep(b, other, differences, {
      rule,
      before: carryingOf(other),
      after: carryingOf(other),
      act: async (bench: Bench, trial: Trial) => {
        await bench.send(request, { trial });
        shelf.carried = shelf.after(act, labelOf(shelf));
        return [];
      },
      guarded: labelOf(other),
      beside: { shelf, state: before },
    });
  }
  return isFound;
}

/** Milliseconds in which nobody asks anything: longer than a bucket takes to fill. */
const silence = 2_200;

/** After a while in which nothing was asked, everything is as it was. */
async function afterRest(b: Bench, shelves: readonly Shelf[]) {
  const some = b.shuffled(shelves.filter(({ views }) => views.size > 0)).slice(0, 2);
  await Promise.all(some.map((shelf) => shelf.establish(b, new Set())));
  // It costs seconds in which nothing else is done.
  await b.exclusive(async (alone) => {
    for (const act of ['apply', 'remove'] as const)
      await Promise.all(some.map((shelf) => write(alone, shelf, act, labelOf(shelf), { rest: silence })));
  });
}

/** Scripts about the effects of lawful writes. */
export const labelScripts: Generate = function* (deployment) {
  yield* ofRecords(
    deployment,
    'life',
    (words) => `labels are put on ${words} and taken off, each in every state, in other words and with every key`,
    lifeOf,
  );
  yield* ofRecords(
    deployment,
    'at-once',
    (words) => `two writes at once have both their effects on ${words}`,
    atOnce,
    // The last record of each kind, which is written least otherwise: what two writes do to each other does not depend on the record.
    (known, all, tenant) => tenant === 0 && all.findLast(({ holder }) => holder.kind === known.holder.kind) === known,
  );
  const records = tenantsOf(deployment).flatMap((tenant) =>
    sparesOf(tenant).length === 0 ? [] : holdersOf(tenant).map((known) => ({ known, tenant })),
  );
  const shelvesOf = async (b: Bench) => {
    const shelves: Shelf[] = [];
    for (const { known, tenant } of records) {
      const { apply: put, remove: take } = labelOperations[known.holder.kind];
      if (b.deployment.operation(put) && b.deployment.operation(take)) shelves.push(await shelfOf(b, known, tenant));
    }
    return shelves;
  };
  const ofAll = (kind: string, title: string, run: (b: Bench, shelves: readonly Shelf[]) => Promise<void>): Script => ({
    id: `labels/${kind}`,
    title,
    tries: [...effects, 'labels/listing-gives-public-labels', 'isolation/writes-stay-in-tenant'],
    uses: [],
    locks: records.map(({ known }) => holderKey(known.holder)),
    writes: 'labels',
    async run(scene) {
      const b = new Bench(scene, scene.state);
      await run(b, await shelvesOf(b));
    },
  });
  if (records.length > 0)
    yield ofAll('after-rest', 'labels are written after a while in which nothing was asked', afterRest);
  if (records.length > 1)
    yield ofAll(
      'others',
      'while every record carries a label, a write on one leaves all others as they are',
      spreading,
    );
};
