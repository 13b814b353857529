/** Two writes on a record at the same moment: it must then carry what both say, in some order. */
import type { RuleId } from '../../spec/rules.ts';
import { valid, type Who } from '../contract/request.ts';
import type { Bench } from '../experiments/bench.ts';
import { effectOf } from '../experiments/model.ts';
import type { RecordUnderTest } from '../experiments/record.ts';
import { examineStep } from '../experiments/write.ts';
import { type Exchange, succeeded, type Trial } from '../history/exchange.ts';
import type { LabelKind } from '../history/facts.ts';
import type { LabelAct } from '../target/holder.ts';
import { holdersOf } from '../target/records.ts';
import { apply, effectsOn, remove } from './labels.ts';
import { type Generate, lastOfKind, onRecords } from './script.ts';

interface Write {
  readonly act: LabelAct;
  readonly label: string;
  readonly kind?: LabelKind;
}

async function atOnce(b: Bench, record: RecordUnderTest, x: string, y?: string) {
  const pairs: (readonly [Write, Write])[] = [
    [apply(x), apply(x)],
    ...(y
      ? ([
          [apply(x), apply(y)],
          [remove(x), remove(y)],
          [apply(x), remove(y)],
        ] as const)
      : ([[apply(x), { act: 'remove', label: b.scene.newId(), kind: 'unknown' }]] as const)),
  ];
  for (const pair of pairs) await together(b, record, pair);
  // The rest is for what is tried the first time, and so is a key on which all depends.
  const isOver = record.isSpent(b, 0.6) || record.keys(b, record.operation('apply')).length === 1;
  for (const pair of isOver ? [] : pairs.slice(1, 3)) await together(b, record, pair);
  await record.establish(b, new Set());
}

async function together(b: Bench, record: RecordUnderTest, pair: readonly [Write, Write]) {
  const [one, two] = pair;
  const spare = (does: LabelAct) =>
    new Set(pair.flatMap(({ act, label, kind }) => (act === does && kind === undefined ? [label] : [])));
  const [before, after] = [spare('remove'), spare('apply')];
  const ruleOf = ({ act }: Write): RuleId => (one.label === two.label ? 'labels/apply-is-idempotent' : effectOf(act));
  const requestOf = (bench: Bench, { act, label, kind }: Write, who?: Who) =>
    record.request(bench, act, label, { kind, who });
  const act = async (bench: Bench, trial?: Trial): Promise<readonly Exchange[]> => {
    const keysOf = (write: Write) => record.keys(b, record.operation(write.act)).map(valid);
    const exchanges = await bench.together(
      pair.map((write, i) => requestOf(bench, write, keysOf(write)[i % keysOf(write).length])),
      // What each shows beside the other is open, so only a look afterwards is judged.
      pair.map((write) => record.tags({ part: 'at-once', rule: ruleOf(write), carries: after, trial })),
    );
    for (const exchange of exchanges) record.saw(bench, exchange);
    return exchanges;
  };
  if (!(await record.establish(b, before))) return;
  const replies = await act(b);
  const rule = ruleOf(one);
  const isServed = replies.every((reply, i) => pair[i]?.kind === 'unknown' || succeeded(reply));
  if (!isServed) return void (await record.establish(b, after));
  record.carried = after;
  const signs = await record.look(b, { rule });
  const again = async (bench: Bench, trial: Trial) => {
    await act(bench, trial);
    return [];
  };
  if (signs.length > 0) await examineStep(b, record, signs, { rule, before, after, act: again, atOnce: true });
}

/** Scripts about two writes at once. */
export const atOnceScripts: Generate = (deployment) =>
  onRecords(
    deployment,
    'labels/at-once',
    effectsOn,
    (words) => `two writes at once have both their effects on ${words}`,
    atOnce,
    // What two writes do to each other does not depend on the record.
    [deployment.tenant],
    (tenant) => lastOfKind(holdersOf(tenant)),
  );
