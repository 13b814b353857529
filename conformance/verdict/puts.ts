import type { RuleId } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import { putSigns, whyNothing } from '../contract/put.ts';
import { lifetime, rounding } from '../contract/upload-target.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { Evidence } from './law.ts';

/** Adds what the store says to bytes to the evidence. @param suspect is told what must be tried again before it counts */
export function judgePuts(
  exchanges: readonly Exchange[],
  skewSeconds: number,
  evidenceOf: (rule: RuleId) => Evidence,
  suspect: (put: Exchange, rule: RuleId, sign: 'wrong reply' | 'no usable reply', observed: string) => void,
): void {
  const unsaid = new Map<RuleId, string>();
  for (const put of exchanges) {
    const { demand, status, failure } = put;
    if (demand === undefined) continue;
    const { rule, succeeds } = demand;
    const start = exchanges.find(({ n }) => String(n) === put.params.start);
    // It may have waited for an experiment.
    if (succeeds && start && put.sentAt > start.sentAt + lifetime - skewSeconds * 1000 - rounding) continue;
    const [sign] = putSigns(put);
    const isRedirect = status !== null && status >= 300 && status < 400;
    const observed = `${status ?? failure}${isRedirect ? ', a redirect, which nobody follows with the bytes of a file' : ''}`;
    if (sign !== undefined && succeeds) suspect(put, rule, sign, observed);
    else if (sign !== undefined) {
      evidenceOf(rule).failures.push({
        exchange: put,
        expected: 'a refusal of the store',
        observed,
        with: start ? [start] : [],
      });
    } else if (succeeds && !succeeded(put)) unsaid.set(rule, whyNothing(put) ?? observed);
    else if (put.status !== null && !isUnavailable(put)) evidenceOf(rule).kept++;
  }
  for (const [rule, why] of unsaid) if (evidenceOf(rule).kept === 0) evidenceOf(rule).unclear.push(why);
}
