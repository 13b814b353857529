import type { RateLimit } from '../../../../mock/keys/bucket.ts';
import type { RuleId } from '../../../../spec/rules.ts';
import type { Defect } from '../../tampering/defect.ts';
import { bucket, fixedWindow, gcra, type Limiting, limitedBy, limiter } from '../../tampering/limiters.ts';
import { heldBack } from '../../tampering/waiting.ts';

/** The wait until a request at this time may pass; 0 where it may. */
type Take = Limiting['take'];
type Bucket = (limit: RateLimit) => Take;

/** Gives every key of the mock another kind of limiter. It strikes where the right one would have decided otherwise. */
const limited = (breaks: RuleId, all: Readonly<Record<string, readonly [does: string, make: Bucket]>>) =>
  Object.entries(all).map(
    ([id, [does, make]]): Defect => ({
      id,
      breaks,
      does,
      options: (reached) => ({
        createLimiter: (first) =>
          limiter(first, (limit) => {
            const [wrong, right] = [make(limit), bucket(limit)];
            return {
              take(now) {
                const wait = wrong(now);
                if (wait > 0 !== right.take(now) > 0) reached();
                return wait;
              },
            };
          }),
      }),
    }),
  );

const rate =
  (perSecond: number, burst: number): Bucket =>
  (limit) =>
    bucket(limit.perSecond === 10 ? { perSecond, burst } : limit).take;

const windowOf = (most: number, milliseconds?: number) => () => fixedWindow(most, milliseconds).take;

/** Gives a key that has sent nothing for some milliseconds this many times its burst. */
const refilled =
  (idle: number, times = 1): Bucket =>
  (limit) => {
    let one = bucket(limit);
    let last = Number.POSITIVE_INFINITY;
    return (now) => {
      if (now - last > idle) one = bucket({ ...limit, burst: times * limit.burst });
      last = now;
      return one.take(now);
    };
  };

/** Throttles a key for some seconds after a 429. */
const penalty =
  (seconds: number): Bucket =>
  (limit) => {
    const one = bucket(limit);
    let until = 0;
    return (now) => {
      if (now < until) return 100;
      const wait = one.take(now);
      if (wait > 0) until = now + seconds * 1_000;
      return wait;
    };
  };

const twoGateways: Bucket = (limit) => {
  const gateways = [bucket(limit), bucket(limit)];
  let turn = 0;
  return (now) => gateways[turn++ % 2]?.take(now) ?? 0;
};

const halvedAfterTheFirst: Bucket = (limit) => {
  let one = bucket(limit);
  let isFirst = true;
  return (now) => {
    const wait = one.take(now);
    if (wait > 0 && isFirst) {
      isFirst = false;
      one = bucket({ ...limit, burst: limit.burst / 2 });
      for (let i = 0; i < limit.burst / 2; i++) one.take(now);
    }
    return wait;
  };
};

const wholeTokens: Bucket = ({ perSecond, burst }) => {
  let tokens = burst;
  let last = Number.POSITIVE_INFINITY;
  return (now) => {
    tokens = Math.min(burst, tokens + Math.floor((Math.max(0, now - last) * perSecond) / 1000));
    last = now;
    if (tokens < 1) return 1000 / perSecond;
    tokens -= 1;
    return 0;
  };
};

const clockGoesBack: Bucket = (limit) => {
  const one = bucket(limit);
  let latest = 0;
  return (now) => {
    latest = Math.max(latest, now - 3000 * Math.floor(now / 10_000));
    return one.take(latest);
  };
};

const quota: Bucket = (limit) => {
  const one = bucket(limit);
  let count = 0;
  return (now) => (++count > 250 && limit.perSecond === 10 ? 3_600_000 : one.take(now));
};

/** Each key has a bucket of its own, but not the declared one. */
export const otherBuckets: readonly Defect[] = [
  ...limited('limiter/steady-rate', {
    'limiter/8-per-second': ['sustains 8 requests per second', rate(8, 20)],
    'limiter/11-per-second': ['sustains 11 requests per second', rate(11, 20)],
    'limiter/fixed-seconds-of-30': ['admits 30 in each second of the clock', windowOf(30)],
    'limiter/fixed-seconds-of-20': ['admits 20 in each second of the clock', windowOf(20)],
    'limiter/fixed-two-seconds': ['admits 20 in each two seconds of the clock', windowOf(20, 2000)],
    'limiter/two-buckets-for-one-key': ['has two gateways, each with a bucket for every key', twoGateways],
    'limiter/penalty-of-one-and-a-half-seconds': ['throttles a key for 1.5 seconds after a 429', penalty(1.5)],
    'limiter/quota-of-250': ['admits 250 requests of a key, and no more that day', quota],
    'limiter/full-after-a-second': ['fills the bucket of a key that has sent nothing for a second', refilled(1_000)],
    'limiter/loses-parts-of-tokens': ['refills whole tokens only, and forgets the rest at every request', wholeTokens],
    'limiter/clock-goes-back': ['refills by a clock that is put back by three seconds every ten', clockGoesBack],
  }),
  ...limited('limiter/burst', {
    'limiter/burst-18': ['admits a burst of 18', rate(10, 18)],
    'limiter/burst-40': ['admits a burst of 40', rate(10, 40)],
    'limiter/fixed-ten-seconds': ['admits 100 in each ten seconds of the clock', windowOf(100, 10_000)],
    'limiter/burst-halved-after-the-first': ['admits a burst of 10 once a key was throttled', halvedAfterTheFirst],
    'limiter/doubled-after-ten-seconds': ['admits twice the burst after ten seconds of rest', refilled(10_000, 2)],
  }),
  ...limited('limiter/over-the-rate-is-429', { 'limiter/none': ['throttles nobody', () => () => 0] }),
  ...limited('limiter/waiting-retry-after-suffices', {
    'limiter/penalty-of-three-seconds': ['throttles a key for 3 seconds after a 429', penalty(3)],
    'limiter/penalty-of-ten-seconds': ['throttles a key for 10 seconds after a 429', penalty(10)],
  }),
  ...limited('limiter/clustering-gains-nothing', {
    'limiter/full-after-a-short-pause': ['fills the bucket of a key that has sent nothing for 0.3 s', refilled(300)],
  }),
  {
    id: 'limiter/held-back',
    breaks: 'limiter/over-the-rate-is-429',
    does: 'holds requests over the rate of a key back, however many, and serves them later',
    options: limitedBy(() => ({ take: () => 0 })),
    around: heldBack(() => 0),
  },
  {
    id: 'limiter/held-back-beyond-the-burst',
    breaks: 'limiter/over-the-rate-is-429',
    does: 'serves the burst of a key at once, holds forty more requests back, and throttles only what comes on top',
    options: limitedBy(({ perSecond, burst }) => gcra({ perSecond, burst: burst + 40 })),
    around: heldBack(({ burst }) => burst),
  },
];
