import type { RuleId } from '../../spec/rules.ts';
import { leaksIn } from '../contract/leaks.ts';
import { privatesIn } from '../contract/private-labels.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { perObject } from '../per-object.ts';
import { privatesOf, tenantsOf } from '../target/records.ts';
import { judgeElsewhere, judgePlaces } from './elsewhere.ts';
import { judgeInside, judgeKeys, judgeRaised } from './hooks.ts';
import { Evidence } from './law.ts';
import { judgeLimiters } from './limiter/limiter.ts';
import { judgeLists } from './lists.ts';
import { judgeReplies } from './replies.ts';
import { judgeSteps } from './steps.ts';
import { type EvidenceOf, type Judge, trafficOf } from './traffic.ts';
import { judgeTrials } from './trials.ts';
import { judgeUploads } from './uploads.ts';

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

/** Data of the other tenant, and private labels. */
const judgeLeaks: Judge = ({ exchanges, deployment }, evidenceOf) => {
  const reads = evidenceOf('isolation/reads-stay-in-tenant');
  const leaks = [...leaksIn(exchanges, deployment)];
  for (const { exchange, what, from } of leaks.filter(({ isOpen }) => !isOpen))
    reads.broken(exchange, "no other tenant's data", what, from ? [from] : []);
  const open = leaks.find(({ isOpen }) => isOpen);
  if (open)
    reads.unclear.push(
      `${open.what}, which all reads of our own record show as well: choose records with texts of their own`,
    );
  const labels = evidenceOf('labels/private-never-in-a-reply');
  for (const { exchange, what } of privatesIn(exchanges, deployment)) labels.broken(exchange, 'no private label', what);
  // Without replies that show labels, nothing is proved.
  if (tenantsOf(deployment).some((tenant) => privatesOf(tenant).length > 0))
    labels.kept += exchanges.filter((one) => succeeded(one) && one.operation === 'getConversationContext').length;
};

/** How often keys of one tenant were shown the same. What one is not shown is tried by a trial. */
const judgePartnerKeys: Judge = ({ cases }, evidenceOf) => {
  const reads = [...cases].flatMap(([exchange, { owner, isRead, isElsewhere, caller }]) => {
    const isOurs = owner === null || owner === 'ours';
    return isRead && !isElsewhere && isOurs && caller === 'valid' && succeeded(exchange) ? [exchange] : [];
  });
  const nameOf = ({ operation, key, params }: Exchange) =>
    JSON.stringify([operation, key?.split('/')[0], Object.values(params)]);
  for (const replies of Map.groupBy(reads, nameOf).values())
    if (new Set(replies.map(({ key }) => key)).size > 1) evidenceOf('keys/partner-scoped').kept += replies.length;
};

/** Plain requests come first, which are the easiest to understand. */
const judges: readonly Judge[] = [
  judgeLeaks,
  judgeLists,
  judgePartnerKeys,
  (traffic, evidenceOf) => {
    const replies = judgeReplies(traffic, evidenceOf);
    judgeUploads(traffic, evidenceOf);
    judgePlaces(traffic, evidenceOf);
    judgeElsewhere(traffic, evidenceOf);
    judgeTrials(traffic, { replies, steps: judgeSteps(traffic, evidenceOf) }, evidenceOf);
  },
  judgeKeys,
  judgeInside,
  judgeRaised,
];

/** What a history shows, by rule. A pure function of its exchanges: a trial is counted again, whatever the run thought of it. */
export const evidenceIn = perObject((history: History): ReadonlyMap<RuleId, Evidence> => {
  const { byRule, evidenceOf } = emptyEvidence();
  for (const judge of judges) judge(trafficOf(history), evidenceOf);
  judgeLimiters(history, evidenceOf);
  return byRule;
});
