/** What the product itself shows, when hooks ask it: whether a write of a private label changed anything there, and how a raised limit works. */
import { countWords } from '../experiments/trial.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { type HookCall, namesLabel } from '../history/hook-call.ts';
import { nameAfter } from '../hooks/made-keys.ts';
import type { EvidenceOf } from './law.ts';
import { isProved } from './trials.ts';

const isShow = ({ hook, failure }: HookCall) => hook === 'showLabels' && failure === null;
const isChange = ({ hook }: HookCall) => hook === 'applyPrivateLabel' || hook === 'removePrivateLabel';

/** The time between two looks into the product, in which no hook changed anything. */
interface Window {
  /** The write of the private label, if there was one. */
  readonly exchange: Exchange | undefined;
  /** Whether the product showed the label before. */
  readonly wasOn: boolean;
  readonly isChanged: boolean;
}

function* windowsIn({ exchanges, hooks }: History): Generator<Window> {
  for (const [script, calls] of Map.groupBy(hooks, (call) => call.script)) {
    const writes = exchanges.filter((one) => one.script === script && one.facts?.label === 'private');
    const label = writes[0]?.params.labelId;
    const inOrder = calls.filter((call) => isShow(call) || isChange(call)).sort((a, b) => a.startedAt - b.startedAt);
    for (const [i, after] of inOrder.entries()) {
      const before = inOrder[i - 1];
      if (label === undefined || before === undefined || !isShow(before) || !isShow(after)) continue;
      const wasOn = namesLabel(before.output, label);
      const isBetween = ({ sentAt, doneAt }: Exchange) => sentAt >= before.doneAt && doneAt <= after.startedAt;
      yield { exchange: writes.find(isBetween), wasOn, isChanged: wasOn !== namesLabel(after.output, label) };
    }
  }
}

const privateRules = [
  [false, 'labels/private-cannot-be-applied', 'the private label does not come to the record'],
  [true, 'labels/private-cannot-be-removed', 'the private label stays on the record'],
] as const;

export function judgeInside(history: History, evidenceOf: EvidenceOf): void {
  const windows = [...windowsIn(history)];
  // What only such writes did, and no window without one shows, the writes did.
  for (const [wasOn, rule, expected] of privateRules) {
    const written = windows.filter(
      (one) => one.wasOn === wasOn && one.exchange?.operation?.startsWith(wasOn ? 'remove' : 'apply'),
    );
    const quiet = windows.filter((one) => one.wasOn === wasOn && one.exchange === undefined);
    const [shown, beside] = [written, quiet].map((all) => all.filter(({ isChanged }) => isChanged).length) as [
      number,
      number,
    ];
    const counts = { shown, of: written.length, beside, controls: quiet.length };
    const evidence = evidenceOf(rule);
    evidence.kept += written.length - shown;
    const exchange = written.find(({ isChanged }) => isChanged)?.exchange;
    const words = `the product shows otherwise: ${countWords(counts)}`;
    if (exchange && isProved(counts, counts)) evidence.broken(exchange, expected, words);
    else if (exchange) evidence.unclear.push(words);
  }
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
