// Judging a rate limiter from outside. The gateway decided each request somewhere between `sentAt` and `doneAt`; only what
// holds for every possible timing is proven. Imports nothing, so that k6 runs it as it is. All times are milliseconds.

export type Outcome = 'admitted' | 'throttled' | 'unknown';

/** One request: not sent before `sentAt`, its answer here by `doneAt`. `unknown`: no answer came, it may have been admitted. */
export type Sample = { readonly sentAt: number; readonly doneAt: number; readonly outcome: Outcome };

/** As declared for the key. `drift`: relative error allowed to the rate (0.001). `tick`: refill interval in ms (0: continuous). */
export type Limit = { perSecond: number; burst: number; drift?: number; tick?: number };

/** Relative deviations a run must be able to show before it may pass (`slower: 0.2`: 8 rps for 10); one left out is not demanded. */
export type Deviations = { slower?: number; faster?: number; smallerBurst?: number; largerBurst?: number };

export type Options = {
  /** How far the clocks that stamped the samples may be from one common clock, in ms. Default 1: they tick in whole ms. */
  readonly skewMs?: number;
  /** False when the key may have been used in the last burst / rate seconds before the first sample. Default true. */
  readonly startedFull?: boolean;
  /** How long after its `doneAt` an unknown request may still reach the limiter, in ms. Default 60,000. */
  readonly lateMs?: number;
  /** Default: a rate off by 20% and a burst off by 25% (against the readings' ends), in both directions. */
  readonly mustShow?: Deviations;
};

/** An end that the run does not bound is 0 or Infinity (null in JSON). `best`: one figure for it, absent when the interval is wide. */
export type Interval = { readonly low: number; readonly high: number; readonly best?: number };

/** Of the token buckets with up to 4 times the declared rate. `bucket: false`: none explains the samples, nothing is bounded. */
export type Measured = { readonly rate: Interval; readonly burst: Interval; readonly bucket: boolean };

export type Judgement = {
  readonly verdict: 'pass' | 'too-lax' | 'too-strict' | 'inconclusive';
  /** The proof, or what is missing for one, in a sentence; times in it are seconds since the first request. */
  readonly reason: string;
  /** The window most over the limit: `admitted` inside it, `allowed` by the most generous reading. */
  readonly tooLax?: { readonly from: number; readonly to: number; readonly admitted: number; readonly allowed: number };
  /** The 429 hardest to excuse: sent `at` (less the skew), when the least generous bucket still held `tokens` (at least 1). */
  readonly tooStrict?: { readonly at: number; readonly tokens: number };
  /** The proven deviation in the verdict's direction, relative (+0.21: 12.1 rps); absent when none is proven or has a measure. */
  readonly deviation?: number;
  /** Relative size of the proven deviation by kind (burst: from the nearest honest reading); 0 for a kind that is not proven. */
  readonly off: { readonly rate: number; readonly burst: number };
  /** Deviations of `mustShow` that this run could not have shown. */
  readonly missed: readonly string[];
  readonly measured: Measured;
  readonly counts: { readonly admitted: number; readonly throttled: number; readonly unknown: number };
  readonly limit: Limit;
};

type Span = { readonly start: number; readonly end: number };

// Generosity in tokens wherever a refill is computed: floating-point rounding must never prove anything.
const EPSILON = 1e-6;
// Rates beyond this many times the declared one are not considered when measuring: at any rate at all, any burst fits.
const FASTEST = 4;
const UNBOUNDED: Interval = { low: 0, high: Number.POSITIVE_INFINITY };
const DEFAULT_DEVIATIONS: Deviations = { slower: 0.2, faster: 0.2, smallerBurst: 0.25, largerBurst: 0.25 };

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
function crowding(admitted: readonly Span[]) {
  const byStart = [...admitted].sort((a, b) => a.start - b.start);
  const starts = Float64Array.from(byStart, (span) => span.start);
  const ends = Float64Array.from(byStart, (span) => span.end);
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
      best[node] = perMs * at(starts, rank) + 1;
      first[node] = rank;
      for (node >>>= 1; node > 0; node >>>= 1) {
        const right = 2 * node + 1;
        const viaLeft = at(best, right - 1) + at(count, right);
        const left = viaLeft > at(best, right);
        count[node] = at(count, right - 1) + at(count, right);
        best[node] = left ? viaLeft : at(best, right);
        first[node] = at(first, left ? right - 1 : right);
      }
      const beyond = at(best, 1) - perMs * at(ends, rank);
      if (beyond <= excess) continue;
      excess = beyond;
      from = at(starts, at(first, 1));
      to = at(ends, rank);
      inside = Math.round(at(best, 1) - perMs * from);
    }
    return { excess, from, to, admitted: inside };
  };
}

/**
 * For a rate: the 429 before which the fewest tokens can have been missing from a full bucket. A bucket of B is only empty when
 * `taken > B - 1`. A window opens at an admitted request i and counts all that may lie in it; the requests surely before it
 * depend on i alone, so a running maximum over i replaces the search over pairs. `strays` (unknown requests) count
 * as taken in every window, but open none: whenever one was decided, it took one token at most. O(n) per rate.
 */
function refusing(admitted: readonly Span[], strays: readonly Span[], throttled: readonly Span[], tick: number) {
  const byEnd = [...admitted].sort((a, b) => a.end - b.end);
  const ends = Float64Array.from(byEnd, (span) => span.end);
  const before = Float64Array.from(byEnd, (span) => countBelow(ends, span.start, false));
  const lost = Float64Array.from(strays, (span) => span.start).sort();
  const arrivals = Float64Array.from([...byEnd, ...strays], (span) => span.start).sort();
  const earliest = new Float64Array(byEnd.length + 1).fill(Number.POSITIVE_INFINITY);
  for (let i = byEnd.length - 1; i >= 0; i -= 1) {
    earliest[i] = Math.min(at(earliest, i + 1), byEnd[i]?.start ?? Number.POSITIVE_INFINITY);
  }
  const refusals = throttled.map((span) => {
    const arrived = countBelow(arrivals, span.end, true);
    // Windows opened by one of the first `settled` to end leave time for a refill. The others do not, so the earliest holds most;
    // if that one only opens after this 429, what remains of the count is strays at most.
    const settled = countBelow(ends, span.start - tick, false);
    const unrefilled = arrived - countBelow(ends, at(earliest, settled), false);
    return { span, arrived, settled, least: Math.max(unrefilled, countBelow(lost, span.end, true)) };
  });
  const running = new Float64Array(byEnd.length + 1).fill(Number.NEGATIVE_INFINITY);
  return (perMs: number) => {
    for (let i = 0; i < byEnd.length; i += 1) {
      running[i + 1] = Math.max(at(running, i), perMs * at(ends, i) - at(before, i));
    }
    let hardest = { taken: Number.POSITIVE_INFINITY, at: 0 };
    for (const { span, arrived, settled, least } of refusals) {
      const taken = Math.max(least, arrived + at(running, settled) - perMs * (span.start - tick) + EPSILON);
      if (taken < hardest.taken) hardest = { taken, at: span.start };
    }
    return hardest;
  };
}

/** Both sweeps over one run, by rate per ms; `origin` is the first `sentAt`, which sweeps count from to keep their precision. */
function sweeps(samples: readonly Sample[], limit: Limit, options: Options) {
  const { skewMs = 1, startedFull = true, lateMs = 60_000 } = options;
  const { perSecond, burst, tick = 0 } = limit;
  if (!(perSecond > 0 && burst >= 1 && Number.isFinite(perSecond * burst) && tick >= 0)) {
    throw new RangeError(`limit: ${perSecond} per second, burst ${burst}: give a rate above 0, a burst of 1 or more`);
  }
  const origin = samples.reduce((earliest, sample) => Math.min(earliest, sample.sentAt), Number.POSITIVE_INFINITY);
  const spans: Record<Outcome, Span[]> = { admitted: [], throttled: [], unknown: [] };
  samples.forEach(({ sentAt, doneAt, outcome }, index) => {
    if (!(Number.isFinite(sentAt) && doneAt >= sentAt && doneAt < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`samples[${index}]: sent at ${sentAt}, done at ${doneAt}: use a clock that never goes back`);
    }
    spans[outcome].push({ start: sentAt - origin - skewMs, end: doneAt - origin + skewMs });
  });
  const crowd = crowding(spans.admitted);
  // A key that was in use may start empty: as if a whole burst had been admitted at the first instant.
  const earlier = Array.from({ length: startedFull ? 0 : Math.ceil(burst) }, () => ({ start: -skewMs, end: skewMs }));
  const taking = [...spans.admitted, ...earlier];
  const late = spans.unknown.map(({ start, end }) => ({ start, end: end + lateMs }));
  // Two sound ways to count unknown requests; each sees where the other is blind: many in a short run, few in a long one.
  const ways = [refusing(taking, spans.unknown, spans.throttled, tick)];
  if (late.length > 0) ways.push(refusing([...taking, ...late], [], spans.throttled, tick));
  const refuse = (perMs: number) => ways.map((way) => way(perMs)).reduce((a, b) => (b.taken < a.taken ? b : a));
  const burstBelow = (perMs: number) => refuse(perMs).taken + 1;
  return {
    origin,
    crowd,
    refuse,
    counts: { admitted: spans.admitted.length, throttled: spans.throttled.length, unknown: spans.unknown.length },
    // The burst of a bucket of this rate. One token less at the lower end, because refills in whole tokens come early.
    burstAtLeast: (perMs: number) => Math.max(crowd(perMs).excess - perMs * tick - 1, 0),
    burstBelow,
    /** A bound that rates of buckets with at least this burst stay below; `bound` is one already. */
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

function measuring(run: ReturnType<typeof sweeps>, { perSecond, burst: usual, tick = 0 }: Limit): Measured {
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
  // A 429 in a volley gives the burst away to the token; how many were admitted is blurred by the refill meanwhile.
  const held = Math.ceil(burst.high) - 1;
  const sharpBurst = burst.high - burst.low <= Math.max(2, 0.3 * usual) && held >= burst.low;
  return {
    rate: { ...rate, ...(sharpRate && { best: (rate.low + rate.high) / 2 }) },
    burst: { ...burst, ...(sharpBurst && { best: held }) },
    bucket: true,
  };
}

/** The rates (per second) and bursts of all token buckets that could have answered these samples. Throws as `judge` does. */
export function measure(samples: readonly Sample[], limit: Limit, options: Options = {}): Measured {
  return measuring(sweeps(samples, limit, options), limit);
}

/**
 * Whether the samples of one key (in any order; several machines' joined, with their `skewMs`) break the limit for certain.
 * Honest readings of the burst go from `burst` (that many at once) to `burst + perSecond + 1` (GCRA with the first second on top).
 * `pass` needs a run in which each deviation of `mustShow` would have shown; else `inconclusive`.
 * Throws RangeError for a sample that ends before it starts and for a limit without a rate or a burst.
 */
export function judge(samples: readonly Sample[], limit: Limit, options: Options = {}): Judgement {
  const run = sweeps(samples, limit, options);
  const { perSecond, burst, drift = 0.001, tick = 0 } = limit;
  const [slow, declared, fast] = [(perSecond * (1 - drift)) / 1000, perSecond / 1000, (perSecond * (1 + drift)) / 1000];
  const most = burst + perSecond + 1;
  const window = run.crowd(fast);
  const allowed = most + fast * (window.to - window.from + tick) + EPSILON;
  const refusal = run.refuse(slow);
  const [from, to] = [window.from + run.origin, window.to + run.origin];
  const tooLax = window.admitted > allowed && { from, to, admitted: window.admitted, allowed: Math.floor(allowed) };
  const tokens = burst - refusal.taken;
  const tooStrict = tokens >= 1 && { at: refusal.at + run.origin, tokens };

  const { slower = 0, faster = 0, smallerBurst = 0, largerBurst = 0 } = options.mustShow ?? DEFAULT_DEVIATIONS;
  const missed = [
    { part: slower, what: 'a rate too low', shown: run.burstAtLeast(declared * (1 - slower)) > most },
    { part: faster, what: 'a rate too high', shown: run.burstBelow(declared * (1 + faster)) <= burst },
    { part: smallerBurst, what: 'a burst too small', shown: run.burstAtLeast(fast) > burst * (1 - smallerBurst) },
    { part: largerBurst, what: 'a burst too large', shown: run.burstBelow(slow) <= most * (1 + largerBurst) },
  ].flatMap(({ part, what, shown }) => (part > 0 && !shown ? [`${what} by ${Math.round(part * 100)}%`] : []));
  if (samples.length === 0) missed.push('anything: there are no samples');

  const measured = measuring(run, limit);
  const { rate, burst: held } = measured;
  const off = { rate: 0, burst: 0 };
  if (tooLax && rate.low > fast * 1000) off.rate = (rate.best ?? rate.low) / perSecond - 1;
  if (tooStrict && rate.high < slow * 1000) off.rate = (rate.best ?? rate.high) / perSecond - 1;
  if (tooLax && held.low > most) off.burst = (held.best ?? held.low) / most - 1;
  if (tooStrict && held.high <= burst) off.burst = (held.best ?? held.high) / burst - 1;
  // A 429 that no honest burst explains bounds the rate of whoever keeps one, even where the run cannot tell the two apart.
  const atMost = tooStrict && measured.bucket && off.burst === 0 ? run.rateBelow(burst, slow) * 1000 : 0;
  if (off.rate === 0 && atMost > rate.low) off.rate = atMost / perSecond - 1;
  const excess = tooLax && (Math.max(off.rate, off.burst) || window.admitted / allowed - 1);
  const deviation = excess || Math.min(off.rate, off.burst);

  const seconds = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(2)} s`;
  const crowded = `${window.admitted} admitted within ${seconds(window.to - window.from)} (from ${seconds(window.from)})`;
  const proofs: string[] = [];
  if (tooLax) proofs.push(`${crowded}, where the most generous reading allows ${tooLax.allowed}`);
  if (tooStrict)
    proofs.push(`the 429 at ${seconds(refusal.at)}: even a bucket of ${burst} held ${tokens.toFixed(1)} tokens`);
  if (proofs.length === 0 && missed.length > 0)
    proofs.push(`nothing is proven, and the run could not have shown ${missed.join(', ')}`);
  return {
    verdict: tooLax ? 'too-lax' : tooStrict ? 'too-strict' : missed.length > 0 ? 'inconclusive' : 'pass',
    reason: proofs.join('; ') || 'no window holds too many admitted requests and no 429 came too early',
    ...(tooLax && { tooLax }),
    ...(tooStrict && { tooStrict }),
    ...(deviation && { deviation }),
    off,
    missed,
    measured,
    counts: run.counts,
    limit,
  };
}
