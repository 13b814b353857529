/** What the product itself shows, when hooks ask it: whether a write of a private label changed anything there, and how a raised limit works. */
import type { RuleId } from '../../spec/rules.ts';
import { type Counts, countWords } from '../experiments/trial.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { type HookCall, namesLabel } from '../history/hook-call.ts';
import { nameAfter } from '../hooks/made-keys.ts';
import type { Evidence } from './law.ts';
import { isProved } from './trials.ts';

const isShow = ({ hook, failure }: HookCall) => hook === 'showLabels' && failure === null;
const isChange = ({ hook }: HookCall) => hook === 'applyPrivateLabel' || hook === 'removePrivateLabel';

/** The time between two looks into the product, in which no hook changed anything. */
interface Window {
  /** A write of the private label, if there was one. */
  readonly exchange: Exchange | undefined;
  /** Whether the product showed the label before and after. */
  readonly shown: readonly [before: boolean, after: boolean];
}

function* windowsIn({ exchanges, hooks }: History): Generator<Window> {
  for (const [script, calls] of Map.groupBy(hooks, (call) => call.script)) {
    const writes = exchanges.filter((one) => one.script === script && one.facts?.label === 'private');
    const label = writes[0]?.params.labelId;
    const inOrder = calls.filter((call) => isShow(call) || isChange(call)).sort((a, b) => a.startedAt - b.startedAt);
    for (const [i, after] of inOrder.entries()) {
      const before = inOrder[i - 1];
      if (label === undefined || before === undefined || !isShow(before) || !isShow(after)) continue;
      yield {
        exchange: writes.find(({ sentAt, doneAt }) => sentAt >= before.doneAt && doneAt <= after.startedAt),
        shown: [namesLabel(before.output, label), namesLabel(after.output, label)],
      };
    }
  }
}

/** What only such writes did, and no window without one shows, the writes did. */
function judgeWrites(
  windows: readonly Window[],
  { wasOn, rule, expected }: { wasOn: boolean; rule: RuleId; expected: string },
  evidenceOf: (rule: RuleId) => Evidence,
): void {
  const all = windows.filter(({ shown, exchange }) => {
    const isRemoval = exchange?.operation?.startsWith('remove');
    return shown[0] === wasOn && (exchange === undefined || isRemoval === wasOn);
  });
  const written = all.filter(({ exchange }) => exchange !== undefined);
  const isChanged = ({ shown: [before, after] }: Window) => before !== after;
  const changed = written.filter(isChanged);
  const counts: Counts = {
    shown: changed.length,
    of: written.length,
    beside: all.filter((one) => one.exchange === undefined && isChanged(one)).length,
    controls: all.length - written.length,
  };
  const evidence = evidenceOf(rule);
  evidence.kept += written.length - changed.length;
  const [exchange] = changed.flatMap((one) => one.exchange ?? []);
  if (exchange === undefined) return;
  const words = `the product shows otherwise: ${countWords(counts)}`;
  if (isProved(counts, counts)) evidence.failures.push({ exchange, expected, observed: words, with: [] });
  else evidence.unclear.push(words);
}

export function judgeInside(history: History, evidenceOf: (rule: RuleId) => Evidence): void {
  const windows = [...windowsIn(history)];
  judgeWrites(
    windows,
    {
      wasOn: false,
      rule: 'labels/private-cannot-be-applied',
      expected: 'the private label does not come to the record',
    },
    evidenceOf,
  );
  judgeWrites(
    windows,
    { wasOn: true, rule: 'labels/private-cannot-be-removed', expected: 'the private label stays on the record' },
    evidenceOf,
  );
  const raised = history.hooks
    .filter(({ hook, failure }) => hook === 'raiseLimit' && failure === null)
    .map(({ tenant, input }) => `${tenant}/${nameAfter.raiseLimit(String(input.name))}`);
  const limit = evidenceOf('limiter/limits-can-be-raised');
  const used = history.exchanges.filter(({ key }) => key !== null && raised.includes(key));
  const throttled = used.filter(({ status }) => status === 429);
  limit.kept += used.length - throttled.length;
  if (throttled.length > 0 && limit.failures.length === 0)
    limit.unclear.push(`${throttled.length} of ${used.length} requests within the raised limit were throttled`);
}
