import type { RuleId } from '../../spec/rules.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { type Case, caseOf } from './case.ts';
import { formsIn } from './forms.ts';
import { isUnavailable, judgeStatus, replyRule } from './judge.ts';
import { isTooSlow, putSigns } from './put.ts';
import { mayBeLost } from './reasons.ts';
import { showsWithout } from './shown.ts';

/** What a reply shows that is no step on a record. */
export function replySigns(exchange: Exchange, deployment: Deployment, rule: RuleId, sign = ''): string[] {
  if (showsWithout(exchange, sign)) return [sign];
  const { demand } = exchange;
  if (demand) return demand.rule === rule ? putSigns(exchange) : [];
  const asked = caseOf(exchange, deployment);
  if (isUnavailable(exchange)) return isLost(exchange, asked) ? ['no usable reply'] : [];
  if (asked === null) return [];
  const judgements = [...judgeStatus(asked, exchange), ...formsIn(asked, exchange, deployment)];
  return judgements.some((one) => one.rule === rule && one.says !== 'kept') ? ['wrong reply'] : [];
}

/** Whether a usable reply is missing that must be there. */
export const isLost = (exchange: Exchange, asked: Case | null): boolean =>
  isUnavailable(exchange) && !isTooSlow(exchange) && !(asked && mayBeLost(asked, exchange.status));

/** The rules that a reply puts in doubt, each with its sign: what may have come from something in front of the service, and is sent again. */
export function doubtsOf(
  exchange: Exchange,
  deployment: Deployment,
): { readonly rule: RuleId; readonly sign: string }[] {
  const asked = caseOf(exchange, deployment);
  if (asked === null) return [];
  if (isUnavailable(exchange))
    return isLost(exchange, asked) ? [{ rule: replyRule(asked), sign: 'no usable reply' }] : [];
  return judgeStatus(asked, exchange).flatMap(({ rule, says }) =>
    // Whether the id of the site is the reason, only the other sites show.
    says === 'suspected' && rule !== asked.siteRule ? [{ rule, sign: 'wrong reply' }] : [],
  );
}
