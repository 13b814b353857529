/** The labels of a record: what each write does to it, two at once, and what it does to other records. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import { valid } from '../contract/request.ts';
import type { Bench } from '../experiments/bench.ts';
import { effectOf } from '../experiments/model.ts';
import { type RecordUnderTest, recordOf } from '../experiments/record.ts';
import { lookAfter, write } from '../experiments/write.ts';
import { type Exchange, succeeded, type Trial } from '../history/exchange.ts';
import { lags } from '../numbers.ts';
import type { KeyOfTenant } from '../target/deployment.ts';
import { holderKey, type LabelAct } from '../target/holder.ts';
import { holdersOf, isSpare, type KnownHolder, sparesOf, tenantsOf } from '../target/records.ts';
import { type Generate, lastOfKind, onRecords, writtenRecords } from './script.ts';

/** Writes, for scripts to list. */
const apply = (label: string) => ({ act: 'apply', label }) as const;
const remove = (label: string) => ({ act: 'remove', label }) as const;

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

/** Every transition of two labels, the usual ones twice, then with every key. */
async function lifeOf(b: Bench, record: RecordUnderTest, x: string, y?: string) {
  const isOurs = record.tenant.name === b.deployment.tenant.name;
  await record.establish(b, new Set());
  // Windows in which nothing is written: what changes in them changes by itself.
  for (let n = 0; n < (isOurs ? 3 : 1); n++) {
    await b.sleep(n * 100);
    await record.look(b, { rule: null });
  }
  const both = y === undefined ? [] : [apply(y), apply(x), remove(x), apply(x), remove(y), remove(y)];
  const ours = [apply(x), apply(x), ...both, remove(x), remove(x)];
  const writes = isOurs ? ours : [apply(x), apply(x), remove(x), remove(x)];
  for (const { act, label } of writes) await write(b, record, act, label);
  if (!isOurs) return;
  // It must stay for as long as a look waits for what lags.
  await write(b, record, 'apply', x, { wait: lags[0] });
  await write(b, record, 'remove', x);
  if (record.isSpent(b)) return;
  const [putters = [], takers = []] = (['apply', 'remove'] as const).map((act) =>
    record.keys(b, record.operation(act)),
  );
  const most = Math.max(putters.length, takers.length);
  // One key has written all before.
  for (let i = 0; most > 1 && i < most; i++) {
    const [putter, taker] = [putters, takers.toReversed()].map((keys) => valid(keys[i % keys.length] as KeyOfTenant));
    if (putter) await write(b, record, 'apply', x, { who: putter });
    if (taker) await write(b, record, 'remove', x, { who: taker });
  }
}

/** The rules that writes on this record are about. */
const effectsOn = (known: KnownHolder | null): readonly RuleId[] =>
  known?.slug === 'closed-conversation' ? [...effects, 'labels/closed-conversation-can-be-labelled'] : effects;

type Write = ReturnType<typeof apply> | ReturnType<typeof remove>;

/** Two writes on a record at the same moment: it must then carry what both say, in some order. */
async function atOnce(b: Bench, record: RecordUnderTest, x: string, y?: string) {
  const others: (readonly [Write, Write])[] = y
    ? [
        [apply(x), apply(y)],
        [remove(x), remove(y)],
        [apply(x), remove(y)],
      ]
    : [[apply(x), remove(b.scene.newId())]];
  await together(b, record, [apply(x), apply(x)]);
  for (const pair of others) await together(b, record, pair);
  // The rest is for what is tried the first time, and so is a key on which all depends.
  const isOver = record.isSpent(b, 0.6) || record.keys(b, record.operation('apply')).length === 1;
  for (const pair of isOver ? [] : others.slice(0, 2)) await together(b, record, pair);
  await record.establish(b, new Set());
}

async function together(b: Bench, record: RecordUnderTest, pair: readonly [Write, Write]) {
  const [one, two] = pair;
  const isReal = ({ label }: Write) => isSpare(record.tenant, label);
  const labelsOf = (does: LabelAct) =>
    new Set(pair.flatMap((write) => (write.act === does && isReal(write) ? [write.label] : [])));
  const [before, after] = [labelsOf('remove'), labelsOf('apply')];
  const ruleOf = ({ act }: Write): RuleId => (one.label === two.label ? 'labels/apply-is-idempotent' : effectOf(act));
  const act = async (bench: Bench, trial?: Trial): Promise<readonly Exchange[]> => {
    const requests = pair.map((write, i) => {
      const keys = record.keys(b, record.operation(write.act));
      return record.request(bench, write.act, write.label, { who: valid(keys[i % keys.length] as KeyOfTenant) });
    });
    // What each shows beside the other is open, so only a look afterwards is judged.
    const tags = pair.map((write) => record.tags({ part: 'at-once', rule: ruleOf(write), carries: after, trial }));
    const exchanges = await bench.together(requests, tags);
    for (const exchange of exchanges) record.saw(bench, exchange);
    return exchanges;
  };
  if (!(await record.establish(b, before))) return;
  const replies = await act(b);
  const isServed = replies.every((reply, i) => !isReal(pair[i] as Write) || succeeded(reply));
  if (!isServed) return void (await record.establish(b, after));
  record.carried = after;
  await lookAfter(b, record, { rule: ruleOf(one), before, after, act, atOnce: true });
}

const labelOf = (record: RecordUnderTest) => record.spares[0]?.id ?? '';

/**
 * A write on one record must leave all others as they are. One after the other is given a label, and then loses it, and again in the order turned round; after each write all others are looked at. So each
 * write meets every other record with the label, and without it.
 */
async function spreading(b: Bench, records: readonly RecordUnderTest[]) {
  await Promise.all(records.map((record) => record.establish(b, new Set())));
  const order = b.shuffled(records);
  for (const all of [order, order.toReversed()]) {
    for (const act of ['apply', 'remove'] as const) for (const record of all) await spread(b, record, act, records);
  }
  await Promise.all(records.map((record) => record.establish(b, new Set())));
}

async function spread(b: Bench, record: RecordUnderTest, act: LabelAct, records: readonly RecordUnderTest[]) {
  const label = labelOf(record);
  const before = record.carried;
  const written = await record.write(b, act, label);
  // A label of the other tenant is not taken off there either.
  const foreign = records.flatMap((other) => (other.tenant === record.tenant ? [] : labelOf(other)));
  const removals = foreign
    .filter((id, i) => act === 'remove' && foreign.indexOf(id) === i && !isSpare(record.tenant, id))
    .map((id) => record.request(b, 'remove', id, { kind: 'foreign' }));
  for (const removal of removals) await record.send(b, removal, { part: 'refused' });
  if (isUnavailable(written)) return void (await record.establish(b, record.after(act, label)));
  const looked = await Promise.all(
    records
      // What is taken off one is taken off those that still carry it.
      .filter((other) => other !== record && (act === 'apply' || other.carried.size > 0))
      .map(async (other) => {
        const rule: RuleId = other.tenant === record.tenant ? effectOf(act) : 'isolation/writes-stay-in-tenant';
        return { other, rule, signs: await other.look(b, { rule, inQuestion: labelOf(other) }) };
      }),
  );
  for (const { other, rule, signs } of looked.filter((one) => one.signs.length > 0)) {
    const request = record.request(b, act, label);
    const { carried } = other;
    const again = async (alone: Bench, trial: Trial) => {
      for (const one of [request, ...removals]) await alone.send(one, { trial });
      record.carried = record.after(act, label);
    };
    const step = { rule, before: carried, after: carried, act: again, inQuestion: labelOf(other) };
    await lookAfter(b, other, { ...step, other: { record, state: before } }, signs);
    await record.establish(b, record.after(act, label));
  }
}

/** Scripts about the effects of lawful writes: of each alone, of two at once, and on other records. */
export const labelScripts: Generate = function* (deployment) {
  const alone = (words: string) => `labels are put on ${words} and taken off, each in every state and with every key`;
  yield* onRecords(deployment, 'labels/life', effectsOn, alone, lifeOf);
  const together = (words: string) => `two writes at once have both their effects on ${words}`;
  // What two writes do to each other does not depend on the record.
  const few = (tenant: TargetTenant) => lastOfKind(holdersOf(tenant));
  yield* onRecords(deployment, 'labels/at-once', effectsOn, together, atOnce, [deployment.tenant], few);
  const all = tenantsOf(deployment).flatMap((tenant) =>
    sparesOf(tenant).length === 0 ? [] : writtenRecords(deployment, tenant).map((known) => ({ known, tenant })),
  );
  if (all.length > 1)
    yield {
      id: 'labels/others',
      title: 'a write on one record leaves all others as they are, with the label and without it',
      tries: [...effectsOn(null), 'isolation/writes-stay-in-tenant'],
      locks: all.map(({ known }) => holderKey(known.holder)),
      writes: 'labels',
      async run(b) {
        const records: RecordUnderTest[] = [];
        for (const { known, tenant } of all) records.push(await recordOf(b, known, tenant));
        await spreading(
          b,
          records.filter(({ isSeen }) => isSeen),
        );
      },
    };
};
