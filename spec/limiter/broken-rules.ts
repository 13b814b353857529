import type { RuleId } from '../generated/rules.ts';
import type { Judgement } from './judge.ts';

/** The rules that a judgement proves broken, each named for what a person would have to change; empty where nothing is proven. */
export function brokenRules({ verdict, off, kind, tooLax, limit }: Judgement): readonly RuleId[] {
  const rules: RuleId[] = [];
  if (kind?.name === 'other-status' || kind?.name === 'none') rules.push('limiter/over-the-rate-is-429');
  if (verdict !== 'too-lax' && verdict !== 'too-strict') return rules;
  if (kind?.name === 'window')
    return [...rules, tooLax === undefined ? 'limiter/burst' : 'limiter/clustering-gains-nothing'];
  if (kind?.name === 'starts-empty') return [...rules, 'limiter/burst'];
  if (off.burst !== 0) rules.push('limiter/burst');
  if (off.rate !== 0) rules.push('limiter/steady-rate');
  if (off.burst !== 0 || off.rate !== 0) return rules;
  // Too many for a moment is a matter of where they cluster; too many for long, or too few, of the rate.
  const moment = tooLax !== undefined && (tooLax.to - tooLax.from) / 1000 < (2 * limit.burst) / limit.perSecond;
  return [...rules, moment ? 'limiter/clustering-gains-nothing' : 'limiter/steady-rate'];
}
