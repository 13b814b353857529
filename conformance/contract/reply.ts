/** What one reply says about every rule: by its status, its form, or because no usable one came. */
import type { RuleId } from '../../spec/rules.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { caseOf } from './case.ts';
import { formsIn } from './forms.ts';
import { isUnavailable, type Judgement, judgeStatus, replyRule } from './judge.ts';
import { isTooSlow, judgePut } from './put.ts';
import { isKeptAway, mayBeLost } from './reasons.ts';
import { showsWithout } from './shown.ts';

/** By which trials count what a reply shows. */
type ReplySign = 'wrong reply' | 'no usable reply';

/** `unclear`: nothing can be told, for the reason that is observed. */
export interface Said extends Omit<Judgement, 'says'> {
  readonly says: Judgement['says'] | 'unclear';
  readonly sign: ReplySign;
}

export function judgeReply(exchange: Exchange, deployment: Deployment): readonly Said[] {
  if (exchange.demand) return judgePut(exchange);
  const asked = caseOf(exchange, deployment);
  if (asked === null) return [];
  if (!isUnavailable(exchange))
    return [...judgeStatus(asked, exchange), ...formsIn(asked, exchange, deployment)].map((one) => ({
      ...one,
      sign: 'wrong reply',
    }));
  const lost = { rule: replyRule(asked), expected: 'a usable reply', sign: 'no usable reply' } as const;
  if (isTooSlow(exchange))
    return [{ ...lost, says: 'unclear', observed: 'a large body was not answered in time: give a longer --timeout' }];
  const observed = exchange.status === null ? (exchange.failure ?? 'no reply') : `${exchange.status}`;
  if (isKeptAway(asked, exchange.status))
    return [{ ...lost, says: 'unclear', observed: `${observed} in place of every refusal` }];
  return [{ ...lost, says: mayBeLost(asked, exchange.status) ? 'kept' : 'suspected', observed }];
}

/** What a reply shows against a rule. @param sign the one in question, where it may be a text that one key is not shown */
export function replySigns(exchange: Exchange, deployment: Deployment, rule: RuleId, sign = ''): string[] {
  if (showsWithout(exchange, sign)) return [sign];
  const against = judgeReply(exchange, deployment).filter(({ says }) => says === 'broken' || says === 'suspected');
  return [
    ...new Set(against.flatMap((one) => (one.rule === rule || one.sign === 'no usable reply' ? [one.sign] : []))),
  ];
}
