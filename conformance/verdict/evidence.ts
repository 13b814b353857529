import type { RuleId } from '../../spec/rules.ts';
import { caseOf } from '../contract/case.ts';
import { leaksIn } from '../contract/leaks.ts';
import { privatesIn } from '../contract/private-labels.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { withMadeKeys } from '../hooks/made-keys.ts';
import { perObject } from '../per-object.ts';
import { type Deployment, deploymentOf } from '../target/deployment.ts';
import { privatesOf, tenantsOf } from '../target/records.ts';
import { judgeElsewhere } from './elsewhere.ts';
import { judgeInside } from './inside.ts';
import { judgeKeys } from './keys.ts';
import type { Evidence } from './law.ts';
import { judgeLimiters } from './limiter/limiter.ts';
import { judgeLists } from './lists.ts';
import { judgeSteps } from './steps.ts';
import { judgeReplies } from './suspicions.ts';
import { judgeTrials } from './trials.ts';
import { judgeFields, judgeUploads } from './uploads.ts';

/** What a history shows, by rule. A pure function of its exchanges: a trial is counted again, whatever the run thought of it. */
export const evidenceIn = perObject((history: History): ReadonlyMap<RuleId, Evidence> => {
  const deployment = deploymentOf(withMadeKeys(history.known.target, history.hooks));
  const byRule = new Map<RuleId, Evidence>();
  const evidenceOf = (rule: RuleId) => {
    const evidence = byRule.get(rule) ?? { kept: 0, failures: [], unclear: [] };
    byRule.set(rule, evidence);
    return evidence;
  };
  const { exchanges } = history;
  const reads = evidenceOf('isolation/reads-stay-in-tenant');
  const open = new Set<string>();
  for (const { exchange, what, from, isOpen } of leaksIn(exchanges, deployment))
    if (isOpen) open.add(what);
    else
      reads.failures.push({ exchange, expected: "no other tenant's data", observed: what, with: from ? [from] : [] });
  const [text] = open;
  if (text !== undefined)
    reads.unclear.push(
      `${text}, which all reads of our own record show as well: choose records with texts of their own`,
    );
  const labels = evidenceOf('labels/private-never-in-a-reply');
  for (const { exchange, what } of privatesIn(exchanges, deployment))
    labels.failures.push({ exchange, expected: 'no private label', observed: what, with: [] });
  // Without replies that show labels, nothing is proved.
  if (tenantsOf(deployment).some((tenant) => privatesOf(tenant).length > 0))
    labels.kept += exchanges.filter((one) => succeeded(one) && one.operation === 'getConversationContext').length;
  judgeMethods(exchanges, deployment, evidenceOf);
  judgeLists(exchanges, deployment, evidenceOf);
  judgeUploads(exchanges, evidenceOf);
  judgePartnerKeys(exchanges, deployment, evidenceOf);
  const replies = judgeReplies(exchanges, deployment, evidenceOf);
  judgeFields(exchanges, evidenceOf);
  // After plain requests, which are easier to understand.
  judgeElsewhere(exchanges, deployment, evidenceOf);
  const steps = judgeSteps(exchanges, deployment, evidenceOf);
  judgeTrials(exchanges, deployment, { replies, steps }, evidenceOf);
  judgeKeys(history, deployment, evidenceOf);
  judgeInside(history, evidenceOf);
  judgeLimiters(history, evidenceOf);
  return byRule;
});

/** The one method that the specification names for a label: a site's is put on by PUT. */
function judgeMethods(exchanges: readonly Exchange[], deployment: Deployment, evidenceOf: (rule: RuleId) => Evidence) {
  const method = deployment.operation('applySiteLabel')?.method;
  const exchange = exchanges.find((one) => one.operation === 'applySiteLabel' && succeeded(one));
  if (exchange !== undefined && method !== 'PUT')
    evidenceOf('labels/site-apply').failures.push({ exchange, expected: 'PUT', observed: `${method}`, with: [] });
}

/** How often keys of one tenant were shown the same. What one is not shown is tried by a trial. */
function judgePartnerKeys(
  exchanges: readonly Exchange[],
  deployment: Deployment,
  evidenceOf: (rule: RuleId) => Evidence,
): void {
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
