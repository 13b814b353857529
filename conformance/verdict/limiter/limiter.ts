/** Everything that a history shows of limiters, by rule. */
import type { RuleId } from '../../../spec/rules.ts';
import type { History } from '../../history/history.ts';
import { deploymentOf } from '../../target/deployment.ts';
import type { Evidence } from '../law.ts';
import { judgeLax, judgeMeasured, judgeSharing, judgeStrict, strictKeys } from './buckets.ts';
import { judge429s, judgeStatuses } from './replies.ts';
import { isThrottled, type KeyUse, measurementOf, usesOf } from './runs.ts';
import { judgeWaits, shortWaitsOf } from './waits.ts';

/** Adds what a history shows of limiters to the evidence. What throttled writes do is shown by steps on records. */
export function judgeLimiters(history: History, evidenceOf: (rule: RuleId) => Evidence): void {
  const uses = usesOf(history);
  judge429s(history.exchanges, evidenceOf);
  judgeLax(uses, evidenceOf);
  judgeStatuses(uses, deploymentOf(history.known.target), evidenceOf);
  judgeSharing(uses, evidenceOf);
  judgeStrict(uses, evidenceOf);
  judgeWaits(uses, evidenceOf);
  judgeMeasured(history, evidenceOf);
}

/** Keys that must be measured again: they were throttled too early, or the run could not have shown a wrong limit. */
export function doubtsOf(history: History): readonly KeyUse[] {
  const strict = strictKeys(usesOf(history)).map(({ use }) => use);
  const measured = measurementOf(history);
  if (measured === null || !measured.use.exchanges.some(isThrottled)) return strict;
  const { use, judgement } = measured;
  const isSeen = judgement.verdict === 'pass' || judgement.tooLax || judgement.kind?.name === 'throttled-take-tokens';
  return [...new Set([...(isSeen && shortWaitsOf(use).length === 0 ? [] : [use]), ...strict])];
}
