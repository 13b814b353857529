/** What an envelope shows of a limit: the faults that it proves, and which buckets could have answered so. */
import { type Envelope, type EnvelopeOptions, EPSILON, envelope, phaseSpan } from './envelope.ts';
import { type Limit, largestBurst } from './limit.ts';
import type { Observation } from './observation.ts';

/** The faults that no timing of the network explains. */
export type Proofs = {
  /** The window most over the limit: `admitted` inside it, `allowed` by the most generous reading. */
  readonly tooLax?: { readonly from: number; readonly to: number; readonly admitted: number; readonly allowed: number };
  /** The 429 that is hardest to explain: sent `at` (less the skew), when the smallest honest bucket still held `tokens` (at least 1). */
  readonly tooStrict?: { readonly at: number; readonly tokens: number };
};

export function proofs(limit: Limit, run: Envelope): Proofs {
  const { perSecond, burst, drift = 0.001, tick = 0 } = limit;
  const fast = (perSecond * (1 + drift)) / 1000;
  const { from, to, admitted } = run.crowd(fast);
  const allowed = largestBurst(limit) + fast * (to - from + tick) + EPSILON;
  const refusal = run.refuse((perSecond * (1 - drift)) / 1000);
  const tokens = burst - refusal.taken;
  const window = { from: from + run.origin, to: to + run.origin, admitted, allowed: Math.floor(allowed) };
  return {
    ...(admitted > allowed && { tooLax: window }),
    ...(tokens >= 1 && { tooStrict: { at: refusal.at + run.origin, tokens } }),
  };
}

/** An end that the run does not bound is 0 or Infinity (null in JSON). `best`: one figure for it, absent when the interval is wide. */
export type Interval = { readonly low: number; readonly high: number; readonly best?: number };

/** Of the token buckets with up to 4 times the declared rate. `bucket: false`: none explains the observations, nothing is bounded. */
export type Measured = { readonly rate: Interval; readonly burst: Interval; readonly bucket: boolean };

// Rates beyond this many times the declared one are not considered when measuring: at any rate at all, any burst fits.
const FASTEST = 4;
const UNBOUNDED: Interval = { low: 0, high: Number.POSITIVE_INFINITY };

/** The rates (per second) and bursts of all token buckets that could have answered so. */
export function measuredIn(run: Envelope, { perSecond, burst: usual, tick = 0 }: Limit): Measured {
  const { crowd, burstAtLeast, burstBelow, rateBelow, counts } = run;
  // Both bounds of the burst fall with the rate. So no rate in [low, next) fits when one window at `next` already needs the
  // burst that the 429s exclude at `low`; and every step, wherever the loop stops, leaves a true bound.
  let low = 0;
  for (let next = 0, round = 0; round < 40 && low < Number.POSITIVE_INFINITY; round += 1) {
    const window = crowd(low);
    next = (window.admitted - 1 - burstBelow(low)) / (window.to - window.from + tick);
    if (!(next > low * (1 + 1e-6))) break;
    low = next;
  }
  const least = Math.min(1, counts.admitted);
  const fastest = (perSecond / 1000) * FASTEST;
  let high = fastest;
  for (let round = 0; round < 4; round += 1) {
    const needed = Math.max(least, burstAtLeast(high));
    if (burstBelow(high) > needed) break;
    high = rateBelow(needed, high);
  }
  const burst = { low: Math.max(least, burstAtLeast(high)), high: burstBelow(low) };
  if (low > high || burst.low >= burst.high) return { rate: UNBOUNDED, burst: UNBOUNDED, bucket: false };
  const rate = { low: low * 1000, high: high < fastest ? high * 1000 : Number.POSITIVE_INFINITY };
  const sharpRate = rate.high - rate.low <= 0.1 * perSecond;
  // A 429 in a volley shows the burst to the token; the number of admitted requests is blurred by the refill meanwhile.
  const held = Math.ceil(burst.high) - 1;
  const sharpBurst = burst.high - burst.low <= Math.max(2, 0.3 * usual) && held >= burst.low;
  return {
    rate: { ...rate, ...(sharpRate && { best: (rate.low + rate.high) / 2 }) },
    burst: { ...burst, ...(sharpBurst && { best: held }) },
    bucket: true,
  };
}

/**
 * Lengths of steps in ms. The contract says how many requests a second has, not how they are shared out within it: so a bucket may
 * get all tokens of a second at once, but not those of two.
 */
const lengths = [200, 250, 500, 1000];

/** What a run shows of a bucket that gets its tokens in steps of at most a second, if such a bucket of this limit explains it. */
export function steppedRefill(limit: Limit, observations: readonly Observation[], options: EnvelopeOptions = {}) {
  const { perSecond, burst, drift = 0.001 } = limit;
  const [slow, fast] = [(perSecond * (1 - drift)) / 1000, (perSecond * (1 + drift)) / 1000];
  // A step larger than the bucket would lose tokens.
  for (const every of lengths.filter((length) => (length * perSecond) / 1000 <= burst))
    for (let phase = 0; phase < every; phase += phaseSpan) {
      const run = envelope(observations, limit, options, { every, phase });
      const known: Limit = { ...limit, tick: every };
      if (proofs(limit, run).tooStrict === undefined && run.burstAtLeast(fast) < run.burstBelow(slow))
        return { run, measured: measuredIn(run, known), known };
    }
  return undefined;
}
