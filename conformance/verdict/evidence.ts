import type { RuleId } from '../../spec/rules.ts';
import { caseOf } from '../contract/case.ts';
import { leaksIn } from '../contract/leaks.ts';
import { privatesIn } from '../contract/private-labels.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { withMadeKeys } from '../hooks/made-keys.ts';
import { perObject } from '../per-object.ts';
import { deploymentOf } from '../target/deployment.ts';
import { privatesOf, tenantsOf } from '../target/records.ts';
import { judgeElsewhere } from './elsewhere.ts';
import { judgeInside, judgeKeys } from './hooks.ts';
import { Evidence, type EvidenceOf, type Traffic } from './law.ts';
import { judgeLimiters } from './limiter/limiter.ts';
import { judgeLists } from './lists.ts';
import { judgeSteps } from './steps.ts';
import { judgeReplies } from './suspicions.ts';
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

/** What a history shows, by rule. A pure function of its exchanges: a trial is counted again, whatever the run thought of it. */
export const evidenceIn = perObject((history: History): ReadonlyMap<RuleId, Evidence> => {
  const deployment = deploymentOf(withMadeKeys(history.known.target, history.hooks));
  const traffic: Traffic = { exchanges: history.exchanges, deployment };
  const { byRule, evidenceOf } = emptyEvidence();
  judgeLeaks(traffic, evidenceOf);
  judgeLists(traffic, evidenceOf);
  judgePartnerKeys(traffic, evidenceOf);
  const replies = judgeReplies(traffic, evidenceOf);
  judgeUploads(traffic.exchanges, evidenceOf);
  // After plain requests, which are easier to understand.
  judgeElsewhere(traffic, evidenceOf);
  judgeTrials(traffic, { replies, steps: judgeSteps(traffic, evidenceOf) }, evidenceOf);
  judgeKeys(history, deployment, evidenceOf);
  judgeInside(history, evidenceOf);
  judgeLimiters(history, evidenceOf);
  return byRule;
});

/** Data of the other tenant, and private labels. */
function judgeLeaks({ exchanges, deployment }: Traffic, evidenceOf: EvidenceOf): void {
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
}

/** How often keys of one tenant were shown the same. What one is not shown is tried by a trial. */
function judgePartnerKeys({ exchanges, deployment }: Traffic, evidenceOf: EvidenceOf): void {
  const reads = exchanges.filter((exchange) => {
    const asked = caseOf(exchange, deployment);
    const isOurs = asked?.owner === null || asked?.owner === 'ours';
    return asked?.isRead && !asked.isElsewhere && isOurs && asked.caller === 'valid' && succeeded(exchange);
  });
  const nameOf = ({ operation, key, params }: Exchange) =>
    JSON.stringify([operation, key?.split('/')[0], Object.values(params)]);
  for (const replies of Map.groupBy(reads, nameOf).values())
    if (new Set(replies.map(({ key }) => key)).size > 1) evidenceOf('keys/partner-scoped').kept += replies.length;
}
