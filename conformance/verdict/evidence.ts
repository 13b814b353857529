import type { RuleId } from '../../spec/rules.ts';
import type { History } from '../history/history.ts';
import { perObject } from '../per-object.ts';
import { judgeAnswers } from './answers/index.ts';
import { judgeElsewhere, judgePlaces } from './elsewhere.ts';
import { judgeKeys, judgePartnerKeys, judgeRaised } from './keys.ts';
import { Evidence } from './law.ts';
import { judgeLax, judgeMeasured, judgeSharing, judgeStrict, judgeWaits } from './limiter/buckets.ts';
import { judge429s, judgeLimits, judgeStatuses } from './limiter/replies.ts';
import { judgeInside, judgeShown } from './private-labels.ts';
import { judgeTrials } from './proof.ts';
import { judgeLeaks, judgeLists } from './reads.ts';
import { judgeReplies } from './replies.ts';
import { judgeSteps } from './steps.ts';
import { type EvidenceOf, type Judge, trafficOf } from './traffic.ts';
import { judgeStore, judgeUploads } from './uploads.ts';

/** Nothing yet, by rule. */
export function emptyEvidence() {
  const byRule = new Map<RuleId, Evidence>();
  const evidenceOf: EvidenceOf = (rule) => {
    const evidence = byRule.get(rule) ?? new Evidence();
    byRule.set(rule, evidence);
    return evidence;
  };
  return { byRule, evidenceOf };
}

/** Of several failures of a rule the first is shown, so plain requests come first, and measurements last. */
const judges: readonly Judge[] = [
  ...[judgeLeaks, judgeShown, judgeLists, judgePartnerKeys],
  (traffic, evidenceOf) => {
    const replies = judgeReplies(traffic, evidenceOf);
    for (const judge of [judgeUploads, judgePlaces, judgeElsewhere]) judge(traffic, evidenceOf);
    judgeTrials(traffic, { replies, steps: judgeSteps(traffic, evidenceOf) }, evidenceOf);
  },
  ...[judgeKeys, judgeInside, judgeRaised],
  ...[judge429s, judgeLax, judgeStatuses, judgeSharing, judgeStrict, judgeWaits, judgeMeasured],
  ...[judgeAnswers, judgeStore, judgeLimits],
];

/** What a history shows, by rule. A pure function of its exchanges: a trial is counted again, whatever the run thought of it. */
export const evidenceIn = perObject((history: History): ReadonlyMap<RuleId, Evidence> => {
  const { byRule, evidenceOf } = emptyEvidence();
  for (const judge of judges) judge(trafficOf(history), evidenceOf);
  return byRule;
});
