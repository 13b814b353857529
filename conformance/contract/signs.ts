import type { RuleId } from '../../spec/rules.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { caseOf } from './case.ts';
import { formsIn } from './forms.ts';
import { isUnavailable, judgeStatus, replyRule } from './judge.ts';
import { showsWithout } from './shown.ts';

/** What a reply shows that is no step on a record. */
export function replySigns(exchange: Exchange, deployment: Deployment, rule: RuleId, sign = ''): string[] {
  if (isUnavailable(exchange)) return ['no usable reply'];
  if (showsWithout(exchange, sign)) return [sign];
  const { demand } = exchange;
  if (demand?.rule === rule) return succeeded(exchange) === demand.succeeds ? [] : ['wrong reply'];
  const asked = caseOf(exchange, deployment);
  if (asked === null) return [];
  const judgements = [...judgeStatus(asked, exchange), ...formsIn(asked, exchange, deployment)];
  return judgements.some((one) => one.rule === rule && one.says !== 'kept') ? ['wrong reply'] : [];
}

/** The rules that a reply puts in doubt, each with its sign: what may have come from something in front of the service, and is sent again. */
export function doubtsOf(
  exchange: Exchange,
  deployment: Deployment,
): { readonly rule: RuleId; readonly sign: string }[] {
  const asked = caseOf(exchange, deployment);
  if (asked === null) return [];
  if (isUnavailable(exchange)) return [{ rule: replyRule(asked), sign: 'no usable reply' }];
  return judgeStatus(asked, exchange).flatMap(({ rule, says }) =>
    // Whether the id of the site is the reason, only the other sites show.
    says === 'suspected' && rule !== asked.siteRule ? [{ rule, sign: 'wrong reply' }] : [],
  );
}
