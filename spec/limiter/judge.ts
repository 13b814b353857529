// Judging a rate limiter from outside. The gateway decided each request somewhere between `sentAt` and `doneAt`; only what
// holds for every possible timing is proven. All times are milliseconds.

import { type Envelope, type EnvelopeOptions, envelope } from './envelope.ts';
import { type Kind, kindOf } from './kind.ts';
import { type Limit, largestBurst } from './limit.ts';
import { type Measured, measuredIn, type Proofs, proofs, steppedRefill } from './measure.ts';
import { type Admission, inOrder, type Observation, restedRuns } from './observation.ts';

/** Relative deviations a run must be able to show before it may pass (`slower: 0.2`: 8 rps for 10); one left out is not demanded. */
export type Deviations = { slower?: number; faster?: number; smallerBurst?: number; largerBurst?: number };

/** How a judgement is made. */
export type Options = EnvelopeOptions & {
  /** Default: a rate off by 20% and a burst off by 25% (against the readings' ends), in both directions. */
  readonly mustShow?: Deviations;
};

/** What observations prove of a limiter. */
export type Judgement = Proofs & {
  readonly verdict: 'pass' | 'too-lax' | 'too-strict' | 'inconclusive';
  /** The proof, or what is missing for one, in a sentence; times in it are seconds since the first request. */
  readonly reason: string;
  /** The proven deviation in the verdict's direction, relative (+0.21: 12.1 rps); absent when none is proven or has a measure. */
  readonly deviation?: number;
  /** Relative size of the proven deviation by kind (burst: from the nearest honest reading); 0 for a kind that is not proven. */
  readonly off: { readonly rate: number; readonly burst: number };
  /** Deviations of `mustShow` that this run could not have shown. */
  readonly missed: readonly string[];
  readonly measured: Measured;
  /** What the limiter looks like, where it is not as declared: a hint for people and no proof. */
  readonly kind?: Kind;
  readonly counts: Readonly<Record<Admission, number>>;
  /** As declared; with the `tick` that was found, where no limiter that refills continuously would have answered so. */
  readonly limit: Limit;
};

const DEFAULT_DEVIATIONS: Deviations = { slower: 0.2, faster: 0.2, smallerBurst: 0.25, largerBurst: 0.25 };

/**
 * Whether the observations of one key (in any order; several machines' joined, with their `skewMs`) break the limit for certain.
 * Honest readings of the burst go from `burst` (that many at once) to `burst + perSecond + 1` (GCRA with the first second on top).
 * `pass` needs a run that some token bucket explains, and in which each deviation of `mustShow` would have shown; else `inconclusive`.
 * Throws RangeError for an observation that ends before it starts and for a limit without a rate or a burst.
 */
export function judge(limit: Limit, observations: readonly Observation[], options: Options = {}): Judgement {
  const plain = envelope(observations, limit, options);
  const { perSecond, burst, drift = 0.001 } = limit;
  const [slow, declared, fast] = [(perSecond * (1 - drift)) / 1000, perSecond / 1000, (perSecond * (1 + drift)) / 1000];
  const most = largestBurst(limit);
  const { tooLax, tooStrict: strict } = proofs(limit, plain);
  const continuous = measuredIn(plain, limit);
  const isBucket = limit.tick || tooLax || holdsWholeTokens(continuous);
  const stepped = isBucket ? undefined : steppedRefill(limit, observations, options);
  const { run, measured, known } = stepped ?? { run: plain, measured: continuous, known: limit };
  const tooStrict = stepped ? undefined : strict;
  const { slower = 0, faster = 0, smallerBurst = 0, largerBurst = 0 } = options.mustShow ?? DEFAULT_DEVIATIONS;
  // Each part that begins with a full bucket is a measurement of its own: what is unknown of one does not blur the next.
  let rested: readonly Envelope[] | undefined;
  const isBelow = (perMs: number, bound: number) => {
    if (run.burstBelow(perMs) <= bound) return true;
    if (stepped || run.counts.unknown === 0) return false;
    rested ??= restedRuns(inOrder(observations), limit).map((part, index) =>
      envelope(part, limit, index === 0 ? options : { ...options, startedFull: true }),
    );
    return rested.some((part) => part.burstBelow(perMs) <= bound);
  };
  const quickest = Math.min(...observations.map(({ sentAt, doneAt }) => doneAt - sentAt));
  // What a bucket gets while a reply is on its way is not told from what it held.
  const isFar = observations.length > 0 && quickest * declared > burst * smallerBurst - 1;
  const far = isFar ? ` (the quickest reply took ${(quickest / 1000).toFixed(2)} s: measure from nearer)` : '';
  const missed = [
    { part: slower, what: 'a rate too low', shown: run.burstAtLeast(declared * (1 - slower)) > most },
    { part: faster, what: 'a rate too high', shown: isBelow(declared * (1 + faster), burst) },
    { part: smallerBurst, what: 'a burst too small', shown: run.burstAtLeast(fast) > burst * (1 - smallerBurst), far },
    { part: largerBurst, what: 'a burst too large', shown: isBelow(slow, most * (1 + largerBurst)) },
  ].flatMap(({ part, what, shown, far = '' }) =>
    part > 0 && !shown ? [`${what} by ${Math.round(part * 100)}%${far}`] : [],
  );
  if (observations.length === 0) missed.push('anything: nothing was observed');

  const { rate, burst: held } = measured;
  const off = { rate: 0, burst: 0 };
  if (tooLax && rate.low > fast * 1000) off.rate = (rate.best ?? rate.low) / perSecond - 1;
  if (tooStrict && rate.high < slow * 1000) off.rate = (rate.best ?? rate.high) / perSecond - 1;
  if (tooLax && held.low > most) off.burst = (held.best ?? held.low) / most - 1;
  // A small bucket that would need a higher rate than the declared one to explain the rest is no explanation.
  if (tooStrict && held.high <= burst && rate.low <= fast * 1000) off.burst = (held.best ?? held.high) / burst - 1;
  // What the run cannot tell apart is put down to the smaller of the two: to the rate of whoever keeps an honest burst, or to the
  // burst of whoever keeps the rate.
  const atMost = tooStrict && measured.bucket && off.burst === 0 ? run.rateBelow(burst, slow) * 1000 : 0;
  if (off.rate === 0 && atMost > rate.low) {
    const [ofRate, ofBurst] = [atMost / perSecond - 1, run.burstBelow(slow) / burst - 1];
    if (ofRate >= ofBurst) off.rate = ofRate;
    else off.burst = ofBurst;
  }
  const excess = tooLax && (Math.max(off.rate, off.burst) || tooLax.admitted / tooLax.allowed - 1);
  const deviation = excess || Math.min(off.rate, off.burst);

  const kind = kindOf({
    limit,
    observations,
    isBucket: measured.bucket,
    found: { ...(tooLax && { tooLax }), ...(tooStrict && { tooStrict }) },
    again: (others, startedFull = true) => proofs(limit, envelope(others, limit, { ...options, startedFull })),
  });
  // The contract does not say that throttled requests take no token, so a 429 that throttled requests explain came in time.
  const excused = kind?.name === 'throttled-take-tokens';
  const verdict = tooLax
    ? 'too-lax'
    : tooStrict && !excused
      ? 'too-strict'
      : // Neither proof found it, but no bucket at all would have answered so.
        excused || missed.length > 0 || !measured.bucket
        ? 'inconclusive'
        : 'pass';
  const nothing = kind
    ? `the limiter ${kind.says}`
    : measured.bucket
      ? 'nothing wrong was seen'
      : 'no token bucket would answer so';
  const steps = known.tick ? ` for a bucket that refills every ${known.tick} ms` : '';
  const reason =
    verdict === 'pass'
      ? `no window holds too many admitted requests and no 429 came too early${steps}`
      : verdict === 'inconclusive'
        ? [nothing, ...(missed.length > 0 ? [`this run could not show ${missed.join(' or ')}`] : [])].join('; ')
        : proofWords({ tooLax, tooStrict }, burst, run.origin);
  return {
    verdict,
    reason,
    ...(tooLax && { tooLax }),
    ...(tooStrict && !excused && { tooStrict }),
    ...(deviation && !excused && { deviation }),
    ...(kind && { kind }),
    off: excused ? { rate: 0, burst: 0 } : off,
    missed,
    measured,
    counts: run.counts,
    limit: known,
  };
}

/** Whether a bucket that refills continuously, and admits some number of requests at once, explains what was seen. */
const holdsWholeTokens = ({ bucket, burst: { low, high } }: Measured): boolean =>
  bucket && (high === Number.POSITIVE_INFINITY || Math.ceil(high) - 1 >= low);

/** Times are seconds since the first request. */
function proofWords({ tooLax, tooStrict }: Proofs, burst: number, origin: number): string {
  const seconds = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(2)} s`;
  const lax =
    tooLax &&
    `${tooLax.admitted} admitted within ${seconds(tooLax.to - tooLax.from)} (from ${seconds(tooLax.from - origin)}), where the most generous reading allows ${tooLax.allowed}`;
  const strict =
    tooStrict &&
    `a 429 at ${seconds(tooStrict.at - origin)}, when even a bucket of ${burst} held ${tooStrict.tokens.toFixed(1)} tokens`;
  return [lax, strict].filter(Boolean).join('; ');
}
