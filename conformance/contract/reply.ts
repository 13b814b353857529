/** What one reply says about every rule: by its status, its form, or because no usable one came. */
import type { RuleId } from '../../spec/rules.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { type Case, caseOf, isKeptAway, mayBeLost } from './case.ts';
import { formsIn } from './forms.ts';
import { isUnavailable, type Judgement, judgeStatus, replyRule } from './judge.ts';
import { showsWithout } from './shown.ts';
import { isTooSlow, judgePut } from './uploads.ts';

/** By which trials count what a reply shows, if it is wrong. */
export const signOf = (exchange: Exchange) => (isUnavailable(exchange) ? 'no usable reply' : 'wrong reply');

/** @param asked what was asked, where more is known of it than the request says */
export function judgeReply(
  exchange: Exchange,
  deployment: Deployment,
  asked = caseOf(exchange, deployment),
): readonly Judgement[] {
  if (exchange.demand) return [...judgePut(exchange)];
  if (asked === null) return [];
  if (isUnavailable(exchange)) return [lost(asked, exchange)];
  return [...judgeStatus(asked, exchange), ...formsIn(asked, exchange, deployment)];
}

/** What no usable reply says. */
function lost(asked: Case, exchange: Exchange): Judgement {
  const { status, failure } = exchange;
  const observed = `${status ?? failure ?? 'no reply'}`;
  const said = { rule: replyRule(asked), expected: 'a usable reply', observed };
  if (isTooSlow(exchange))
    return { ...said, says: 'unclear', observed: 'a large body was not answered in time: give a longer --timeout' };
  if (isKeptAway(asked, status)) return { ...said, says: 'unclear', observed: `${observed} in place of every refusal` };
  return { ...said, says: mayBeLost(asked, status) ? 'kept' : 'suspected' };
}

/** What a reply shows against a rule. @param sign the one in question, where it may be a text that one key is not shown */
export function replySigns(exchange: Exchange, deployment: Deployment, rule: RuleId, sign = ''): string[] {
  if (showsWithout(exchange, sign)) return [sign];
  const against = judgeReply(exchange, deployment).filter(({ says }) => says === 'broken' || says === 'suspected');
  return against.some((one) => one.rule === rule || isUnavailable(exchange)) ? [signOf(exchange)] : [];
}
