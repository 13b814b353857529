/** The labels of a record: what each write does to it. */
import type { RuleId } from '../../spec/rules.ts';
import { valid } from '../contract/request.ts';
import type { Bench } from '../experiments/bench.ts';
import type { RecordUnderTest } from '../experiments/record.ts';
import { write } from '../experiments/write.ts';
import { lags } from '../numbers.ts';
import type { KeyOfTenant } from '../target/keys.ts';
import type { KnownHolder } from '../target/records.ts';
import { type Generate, onRecords } from './script.ts';

/** Writes, for scripts to list. */
export const apply = (label: string) => ({ act: 'apply', label }) as const;
export const remove = (label: string) => ({ act: 'remove', label }) as const;

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

const isOurs = (b: Bench, { tenant }: RecordUnderTest) => tenant.name === b.deployment.tenant.name;

/** Every transition of two labels, the usual ones twice, then with every key. */
async function lifeOf(b: Bench, record: RecordUnderTest, x: string, y?: string) {
  await record.establish(b, new Set());
  // Windows in which nothing is written: what changes in them changes by itself.
  for (let n = 0; n < (isOurs(b, record) ? 3 : 1); n++) {
    await b.sleep(n * 100);
    await record.look(b, { rule: null });
  }
  const both = y === undefined ? [] : [apply(y), apply(x), remove(x), apply(x), remove(y), remove(y)];
  const ours = [apply(x), apply(x), ...both, remove(x), remove(x)];
  const writes = isOurs(b, record) ? ours : [apply(x), apply(x), remove(x), remove(x)];
  for (const { act, label } of writes) await write(b, record, act, label);
  if (!isOurs(b, record)) return;
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
export const effectsOn = (known: KnownHolder | null): readonly RuleId[] =>
  known?.slug === 'closed-conversation' ? [...effects, 'labels/closed-conversation-can-be-labelled'] : effects;

/** Scripts about the effects of lawful writes. */
export const labelScripts: Generate = function* (deployment) {
  yield* onRecords(
    deployment,
    'labels/life',
    effectsOn,
    (words) => `labels are put on ${words} and taken off, each in every state and with every key`,
    lifeOf,
  );
};
