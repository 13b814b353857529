import { type Duration, toMilliseconds } from '../clock.ts';

/**
 * How long replies are delayed, in real time: a fixed time, or a log-normal distribution with a long tail (half are faster than the
 * median, one in a hundred is slower than `p99`).
 */
export type Latency = Duration | { readonly median: Duration; readonly p99: Duration };

/** A client cannot tell a longer latency from a server that is down. */
const maxLatency = 10 * 60_000;
/** The 99th percentile of the standard normal distribution. */
const z99 = 2.3263478740408408;

/**
 * Draws delays in whole milliseconds.
 * @throws RangeError for an invalid duration, a p99 below the median, or more than 10 minutes
 */
export function latencySampler(latency: Latency, random: () => number): () => number {
  if (typeof latency !== 'object') {
    const fixed = atMost(toMilliseconds(latency));
    return () => fixed;
  }
  const median = atMost(toMilliseconds(latency.median));
  const p99 = atMost(toMilliseconds(latency.p99));
  if (median <= 0 || p99 < median)
    throw new RangeError('a long tail needs a median above 0 and a p99 of at least that');
  const spread = Math.log(p99 / median) / z99;
  return () => clamp(median * Math.exp(spread * normal(random)));
}

/** The Box-Muller transform. `1 - random` avoids the logarithm of 0. */
const normal = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const clamp = (milliseconds: number) => Math.round(Math.min(maxLatency, Math.max(0, milliseconds)));

function atMost(milliseconds: number): number {
  if (milliseconds > maxLatency) throw new RangeError('a latency is at most 10 minutes ("10m")');
  return milliseconds;
}
