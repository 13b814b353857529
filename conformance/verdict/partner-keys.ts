/** How often keys of one tenant were shown the same. What one is not shown is tried by a trial. */
import type { RuleId } from '../../spec/rules.ts';
import { caseOf } from '../contract/case.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import type { Evidence } from './law.ts';

export function judgePartnerKeys(
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
