import type { Limit } from './limit.ts';
import { type Admission, admissionOf, type Observation } from './observation.ts';

/** What is known of the clocks and of the key before the run. */
export type EnvelopeOptions = {
  /** How far the clocks that stamped the observations may be from one common clock, in ms. Default 1: they tick in whole ms. */
  readonly skewMs?: number;
  /** False when the key may have been used in the last burst / rate seconds before the first observation. Default true. */
  readonly startedFull?: boolean;
  /** How long after its `doneAt` an unknown request may still reach the limiter, in ms. Default 60,000. */
  readonly lateMs?: number;
};

/**
 * A clock at whose ticks a bucket gets all its tokens: each `every` ms, first so many ms after the first request, or up to `phaseSpan`
 * later.
 */
type RefillClock = { readonly every: number; readonly phase: number };

/** In ms. Clocks this far apart stand for all. */
export const phaseSpan = 50;

/** The time for which a bucket has got tokens, by the latest clock. */
const lastTick = (time: number, clock: RefillClock | undefined): number =>
  clock === undefined ? time : Math.floor((time - clock.phase) / clock.every) * clock.every;

type Span = { readonly start: number; readonly end: number };

/** Tolerance in tokens wherever a refill is computed, so that floating-point rounding never proves anything. */
export const EPSILON = 1e-6;

const at = (list: ArrayLike<number>, index: number): number => list[index] ?? 0;

/** How many of the ascending numbers are below `bound`, or not above it. */
function countBelow(sorted: ArrayLike<number>, bound: number, inclusive: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(sorted, middle) < bound || (inclusive && at(sorted, middle) === bound)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * For a rate: the window with the most admitted requests beyond `rate * length`. A sweep over ends, with a segment tree over
 * starts: a node holds its count and the best of `rate * start + admitted from that start on`. O(n log n) per rate.
 */
function crowding(admitted: readonly Span[], clock: RefillClock | undefined) {
  const byStart = [...admitted].sort((a, b) => a.start - b.start);
  const starts = Float64Array.from(byStart, (span) => span.start);
  const ends = Float64Array.from(byStart, (span) => span.end);
  const opened = starts.map((start) => (clock === undefined ? start : lastTick(start - phaseSpan, clock)));
  const byEnd = Uint32Array.from(byStart.keys()).sort((a, b) => at(ends, a) - at(ends, b));
  let size = 1;
  while (size < starts.length) size *= 2;
  const count = new Int32Array(2 * size);
  const best = new Float64Array(2 * size);
  const first = new Int32Array(2 * size);
  return (perMs: number) => {
    count.fill(0);
    best.fill(Number.NEGATIVE_INFINITY);
    let [excess, from, to, inside] = [0, 0, 0, 0];
    for (const rank of byEnd) {
      let node = size + rank;
      count[node] = 1;
      best[node] = perMs * at(opened, rank) + 1;
      first[node] = rank;
      for (node >>>= 1; node > 0; node >>>= 1) {
        const right = 2 * node + 1;
        const viaLeft = at(best, right - 1) + at(count, right);
        const left = viaLeft > at(best, right);
        count[node] = at(count, right - 1) + at(count, right);
        best[node] = left ? viaLeft : at(best, right);
        first[node] = at(first, left ? right - 1 : right);
      }
      const beyond = at(best, 1) - perMs * lastTick(at(ends, rank), clock);
      if (beyond <= excess) continue;
      excess = beyond;
      from = at(starts, at(first, 1));
      to = at(ends, rank);
      inside = Math.round(at(best, 1) - perMs * at(opened, at(first, 1)));
    }
    return { excess, from, to, admitted: inside };
  };
}

/**
 * For a rate: the 429 before which the fewest tokens can have been missing from a full bucket. A bucket of B is only empty when
 * `taken > B - 1`. It was full for the last time just before some admitted request was decided. All that may have been decided from that
 * moment on counts as taken; so only the ends of requests need be tried as that moment: between two ends, the later it was, the less was
 * refilled since. A running maximum over them replaces the search over pairs. `strays` (unknown requests) count
 * as taken after every moment, but are none: whenever one was decided, it took one token at most. O(n) per rate.
 */
function refusing(
  admitted: readonly Span[],
  strays: readonly Span[],
  throttled: readonly Span[],
  tick: number,
  clock: RefillClock | undefined,
) {
  const never = { taken: Number.POSITIVE_INFINITY, at: 0 };
  if (throttled.length === 0) return () => never;
  const byEnd = [...admitted].sort((a, b) => a.end - b.end);
  const ends = Float64Array.from(byEnd, (span) => span.end);
  const lost = Float64Array.from(strays, (span) => span.start).sort();
  const arrivals = Float64Array.from([...byEnd, ...strays], (span) => span.start).sort();
  const earliest = new Float64Array(byEnd.length + 1).fill(Number.POSITIVE_INFINITY);
  for (let i = byEnd.length - 1; i >= 0; i -= 1) {
    earliest[i] = Math.min(at(earliest, i + 1), byEnd[i]?.start ?? Number.POSITIVE_INFINITY);
  }
  const refusals = throttled.map((span) => {
    const arrived = countBelow(arrivals, span.end, true);
    const latest = span.start - tick;
    const settled = countBelow(ends, latest, false);
    // From the end of one of the `settled` to this 429 there is time for a refill. Of the moments after them, after the first most is decided;
    // if that is after this 429, what remains of the count is strays at most.
    const unrefilled = arrived - countBelow(ends, Math.max(at(earliest, settled), latest), false);
    return { span, arrived, settled, least: Math.max(unrefilled, countBelow(lost, span.end, true)) };
  });
  const running = new Float64Array(byEnd.length + 1).fill(Number.NEGATIVE_INFINITY);
  return (perMs: number) => {
    for (let i = 0; i < byEnd.length; i += 1) {
      running[i + 1] = Math.max(at(running, i), perMs * lastTick(at(ends, i), clock) - i);
    }
    let hardest = never;
    for (const { span, arrived, settled, least } of refusals) {
      const taken = Math.max(
        least,
        arrived + at(running, settled) - perMs * lastTick(span.start - tick, clock) + EPSILON,
      );
      if (taken < hardest.taken) hardest = { taken, at: span.start };
    }
    return hardest;
  };
}

/**
 * What holds of one run for every possible timing, by rate per ms. `origin` is the first `sentAt`, which sweeps count from to keep
 * their precision. By default, the bucket refills continuously. Throws RangeError for an observation that ends before it starts and for a limit without a rate or a burst.
 */
export function envelope(
  observations: readonly Observation[],
  limit: Limit,
  options: EnvelopeOptions,
  clock?: RefillClock,
) {
  const { skewMs = 1, startedFull = true, lateMs = 60_000 } = options;
  const { perSecond, burst } = limit;
  const tick = clock === undefined ? (limit.tick ?? 0) : phaseSpan;
  if (!(perSecond > 0 && burst >= 1 && Number.isFinite(perSecond * burst) && tick >= 0)) {
    throw new RangeError(`limit: ${perSecond} per second, burst ${burst}: give a rate above 0, a burst of 1 or more`);
  }
  const origin = observations.reduce((earliest, { sentAt }) => Math.min(earliest, sentAt), Number.POSITIVE_INFINITY);
  const spans: Record<Admission, Span[]> = { admitted: [], throttled: [], refused: [], unknown: [] };
  observations.forEach(({ sentAt, doneAt, status }, index) => {
    if (!(Number.isFinite(sentAt) && doneAt >= sentAt && doneAt < Number.POSITIVE_INFINITY)) {
      throw new RangeError(
        `observations[${index}]: sent at ${sentAt}, done at ${doneAt}: use a clock that never goes back`,
      );
    }
    spans[admissionOf(status)].push({ start: sentAt - origin - skewMs, end: doneAt - origin + skewMs });
  });
  const crowd = crowding(spans.admitted, clock);
  // A key that was in use may start empty: as if a whole burst had been admitted at the first instant.
  const before = startedFull || spans.throttled.length === 0 ? 0 : Math.ceil(burst);
  const earlier = Array.from({ length: before }, () => ({ start: -skewMs, end: skewMs }));
  const taking = [...spans.admitted, ...spans.refused, ...earlier];
  const late = spans.unknown.map(({ start, end }) => ({ start, end: end + lateMs }));
  // Two sound ways to count unknown requests: one is sharp for many in a short run, the other for few in a long run.
  const ways = [refusing(taking, spans.unknown, spans.throttled, tick, clock)];
  if (late.length > 0) ways.push(refusing([...taking, ...late], [], spans.throttled, tick, clock));
  const refuse = (perMs: number) => ways.map((way) => way(perMs)).reduce((a, b) => (b.taken < a.taken ? b : a));
  const burstBelow = (perMs: number) => refuse(perMs).taken + 1;
  return {
    origin,
    crowd,
    refuse,
    counts: {
      admitted: spans.admitted.length,
      throttled: spans.throttled.length,
      refused: spans.refused.length,
      unknown: spans.unknown.length,
    },
    // The burst of a bucket of this rate. One token less at the lower end, because refills in whole tokens come early.
    burstAtLeast: (perMs: number) => Math.max(crowd(perMs).excess - perMs * (clock === undefined ? tick : 0) - 1, 0),
    burstBelow,
    /** An upper bound for the rate of every bucket with at least this burst; `bound` is a looser upper bound. */
    rateBelow: (burst: number, bound: number) => {
      let high = bound;
      for (let low = 0; high - low > 1e-5 * bound; ) {
        const middle = (low + high) / 2;
        if (burstBelow(middle) > burst) low = middle;
        else high = middle;
      }
      return high;
    },
  };
}

export type Envelope = ReturnType<typeof envelope>;
