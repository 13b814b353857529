/** Everything that a history shows of limiters, by rule. */
import type { History } from '../../history/history.ts';
import { type EvidenceOf, trafficOf } from '../traffic.ts';
import { judgeLax, judgeMeasured, judgeSharing, judgeStrict, judgeWaits, shortWaitsOf, strictKeys } from './buckets.ts';
import { judge429s, judgeStatuses } from './replies.ts';
import { isThrottled, type KeyUse, measurementOf, usesOf } from './uses.ts';

/** Adds what a history shows of limiters to the evidence. What throttled writes do is shown by steps on records. */
export function judgeLimiters(history: History, evidenceOf: EvidenceOf): void {
  const [uses, traffic] = [usesOf(history), trafficOf(history)];
  judge429s(traffic, evidenceOf);
  judgeLax(uses, evidenceOf);
  judgeStatuses(uses, traffic, evidenceOf);
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
