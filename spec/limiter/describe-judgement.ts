import type { RuleId } from '../generated/rules.ts';
import type { Judgement } from './judge.ts';
import { largestBurst } from './limit.ts';
import type { Interval } from './measure.ts';
import { totalOf } from './observation.ts';

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** An interval, also one from a JSON report, where null is an end that is not bounded. */
type Figure = { readonly [End in 'low' | 'high']: number | null } & Pick<Interval, 'best'>;

/** What was measured, as precisely as it was: "10.0", "9.4 to 12.0", "at least 9.9"; `least` goes without saying. */
export function figure({ low, high, best }: Figure, digits: number, least: number): string | undefined {
  if (best !== undefined) return best.toFixed(digits);
  if (high !== null && high < UNBOUNDED) return `${(low ?? 0).toFixed(digits)} to ${high.toFixed(digits)}`;
  return low !== null && low > least ? `at least ${low.toFixed(digits)}` : undefined;
}

/** By which part a figure is beyond what a limit may mean, such as -0.2 for 8 instead of 10; 0 within it. @param most of what the limit may mean */
export function offBy({ low, high, best }: Figure, least: number, most = least): number {
  const [from, to] = [low ?? 0, high ?? UNBOUNDED];
  if (from > most) return (best ?? from) / most - 1;
  return to < least ? (best ?? to) / least - 1 : 0;
}

/** By how much a limiter is off, in words: "too lax by 21%". */
const offWords = (part: number, bound = ''): string =>
  `${part > 0 ? 'too lax' : 'too strict'} by ${bound}${Math.round(100 * Math.abs(part))}%`;

/** What to change of a figure that is off, in a sentence: `Raise the rate from about 8.0 to 10 a second.` */
export function changeOf(what: 'rate' | 'burst', { low, high, best }: Figure, declared: number): string {
  const found = best ?? ((low ?? 0) + (high ?? low ?? 0)) / 2;
  const [digits, unit] = what === 'rate' ? [1, ' a second'] : [0, ''];
  return `${found < declared ? 'Raise' : 'Lower'} the ${what} from about ${found.toFixed(digits)} to ${declared}${unit}.`;
}

/** What is proven of one figure that is off by `part` of its `reference`: its best value, or only the bound. */
function finding(part: number, reference: number, { best }: Interval, digits: number): { value: string; size: string } {
  const value = (reference * (1 + part)).toFixed(digits);
  if (best !== undefined) return { value, size: offWords(part) };
  return { value: `${part > 0 ? 'at least' : 'at most'} ${value}`, size: offWords(part, 'at least ') };
}

/**
 * A judgement as one sentence for people: "admits 12.1 rps: too lax by 21%", "admits 10.0 rps, burst 20: keeps the contract".
 * @param rule of which it says what is proven, where rate and burst are both wrong
 */
export function describeJudgement(judgement: Judgement, rule?: RuleId): string {
  const { verdict, reason, measured, counts, kind, limit } = judgement;
  if (verdict === 'inconclusive') return `cannot tell: ${reason}`;
  if (verdict === 'pass') {
    const [rate, burst] = [figure(measured.rate, 1, 0), figure(measured.burst, 0, 1)];
    const seen = [
      rate && `admits ${rate} rps`,
      burst && `burst ${burst}`,
      limit.tick && `tokens every ${limit.tick} ms`,
    ].filter(Boolean);
    return `${seen.join(', ') || `admits ${counts.admitted} of ${totalOf(counts)} requests`}: keeps the contract`;
  }
  if (counts.admitted === 0) return `admits nothing: too strict, ${reason}`;
  const sized = kind?.name === 'none' ? [] : findings(judgement, rule);
  if (sized.length > 0) return `${sized.join('; ')}${kind === undefined ? '' : ` (${kind.says})`}`;
  return `${kind?.says ?? size(judgement)}: ${reason}`;
}

function size({ verdict, deviation }: Judgement): string {
  if (verdict === 'too-strict') return 'too strict';
  return deviation === undefined ? 'too lax' : offWords(deviation);
}

/** What is proven of rate and burst, each with its size. */
function findings({ off, limit, measured }: Judgement, rule?: RuleId): string[] {
  const found: string[] = [];
  // A rate close to zero gets words in place of a figure.
  if (rule !== 'limiter/burst' && off.rate !== 0 && limit.perSecond * (1 + off.rate) >= 0.05) {
    const { value, size } = finding(off.rate, limit.perSecond, measured.rate, 1);
    found.push(`admits ${value} rps: ${size}`);
  }
  if (rule !== 'limiter/steady-rate' && off.burst !== 0) {
    const [allowed, reference] = off.burst > 0 ? ['at most ', largestBurst(limit)] : ['', limit.burst];
    const { value, size } = finding(off.burst, Number(reference), measured.burst, 0);
    found.push(`burst ${value} instead of ${allowed}${reference}: ${size}`);
  }
  return found;
}

/** The rules that a judgement proves broken, each named for what a person would have to change; empty where nothing is proven. */
export function brokenRules({ verdict, off, kind, tooLax, limit }: Judgement): readonly RuleId[] {
  const rules: RuleId[] = [];
  if (kind?.name === 'other-status' || kind?.name === 'none') rules.push('limiter/over-the-rate-is-429');
  if (verdict !== 'too-lax' && verdict !== 'too-strict') return rules;
  if (kind?.name === 'starts-empty') return [...rules, 'limiter/burst'];
  if (off.rate !== 0) rules.push('limiter/steady-rate');
  if (off.burst !== 0) rules.push('limiter/burst');
  if (off.burst !== 0 || off.rate !== 0) return rules;
  // Too many for a moment is a matter of where they cluster; too many for long, or too few, of the rate.
  const moment = tooLax !== undefined && (tooLax.to - tooLax.from) / 1000 < (2 * limit.burst) / limit.perSecond;
  return [...rules, moment ? 'limiter/clustering-gains-nothing' : 'limiter/steady-rate'];
}
