import { type Envelope, type EnvelopeOptions, envelope } from './envelope.ts';
import type { Limit } from './limit.ts';
import type { Observation } from './observation.ts';

/** An end that the run does not bound is 0 or Infinity (null in JSON). `best`: one figure for it, absent when the interval is wide. */
export type Interval = { readonly low: number; readonly high: number; readonly best?: number };

/** Of the token buckets with up to 4 times the declared rate. `bucket: false`: none explains the observations, nothing is bounded. */
export type Measured = { readonly rate: Interval; readonly burst: Interval; readonly bucket: boolean };

// Rates beyond this many times the declared one are not considered when measuring: at any rate at all, any burst fits.
const FASTEST = 4;
const UNBOUNDED: Interval = { low: 0, high: Number.POSITIVE_INFINITY };

/** Like `measure`, for a run whose envelope is already computed. */
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

/** The rates (per second) and bursts of all token buckets that could have answered so. Throws as `judge` does. */
export function measure(limit: Limit, observations: readonly Observation[], options: EnvelopeOptions = {}): Measured {
  return measuredIn(envelope(observations, limit, options), limit);
}
