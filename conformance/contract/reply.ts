/** What one reply says about every rule: by its status, its form, or because no usable one came. */
import type { RuleId } from '../../spec/rules.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { type Case, caseOf } from './case.ts';
import { formsIn } from './forms.ts';
import { isUnavailable, type Judgement, judgeStatus, replyRule } from './judge.ts';
import { isKeptAway, mayBeLost } from './reasons.ts';
import { showsWithout } from './shown.ts';
import { isTooSlow, judgePut } from './uploads.ts';

export interface Said extends Judgement {
  /** By which trials count what a reply shows. */
  readonly sign: 'wrong reply' | 'no usable reply';
}

export function judgeReply(exchange: Exchange, deployment: Deployment): readonly Said[] {
  const asked = caseOf(exchange, deployment);
  const sign = isUnavailable(exchange) ? 'no usable reply' : 'wrong reply';
  const said = exchange.demand
    ? [...judgePut(exchange)]
    : asked === null
      ? []
      : isUnavailable(exchange)
        ? [lost(asked, exchange)]
        : [...judgeStatus(asked, exchange), ...formsIn(asked, exchange, deployment)];
  return said.map((one) => ({ ...one, sign }));
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
  return [
    ...new Set(against.flatMap((one) => (one.rule === rule || one.sign === 'no usable reply' ? [one.sign] : []))),
  ];
}
