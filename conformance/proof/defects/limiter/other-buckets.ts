import type { RateLimit } from '../../../../mock/keys/bucket.ts';
import type { RuleId } from '../../../../spec/rules.ts';
import type { Defect } from '../../tampering/defect.ts';
import { bucket, fixedWindow, type Limiting, limiter } from '../../tampering/limiters.ts';

/** The wait until a request at this time may pass; 0 where it may. */
type Take = Limiting['take'];

/** Gives every key of the mock another kind of limiter. It strikes where the right one would have decided otherwise. */
const limited = (id: string, breaks: RuleId, does: string, make: (limit: RateLimit) => Take): Defect => ({
  id: `limiter/${id}`,
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
});

const rate = (id: string, perSecond: number, burst: number, breaks: RuleId, does: string) =>
  limited(id, breaks, does, (limit) => bucket(limit.perSecond === 10 ? { perSecond, burst } : limit).take);

/** Gives a key that has sent nothing for some milliseconds this many times its burst. */
const refilled = (id: string, breaks: RuleId, does: string, idle: number, times = 1) =>
  limited(id, breaks, `${does} a key that has sent nothing for ${idle / 1000} s`, (limit) => {
    let one = bucket(limit);
    let last = Number.POSITIVE_INFINITY;
    return (now) => {
      if (now - last > idle) one = bucket({ ...limit, burst: times * limit.burst });
      last = now;
      return one.take(now);
    };
  });

/** Each key has a bucket of its own, but not the declared one. */
export const otherBuckets: readonly Defect[] = [
  rate('8-per-second', 8, 20, 'limiter/steady-rate', 'sustains 8 requests per second'),
  rate('11-per-second', 11, 20, 'limiter/steady-rate', 'sustains 11 requests per second'),
  rate('burst-18', 10, 18, 'limiter/burst', 'admits a burst of 18'),
  rate('burst-40', 10, 40, 'limiter/burst', 'admits a burst of 40'),
  limited('none', 'limiter/over-the-rate-is-429', 'throttles nobody', () => () => 0),
  limited(
    'fixed-seconds-of-30',
    'limiter/steady-rate',
    'admits 30 in each second of the clock',
    () => fixedWindow(30).take,
  ),
  limited(
    'fixed-seconds-of-20',
    'limiter/steady-rate',
    'admits 20 in each second of the clock',
    () => fixedWindow(20).take,
  ),
  limited(
    'fixed-two-seconds',
    'limiter/steady-rate',
    'admits 20 in each two seconds of the clock, so that requests at the rate are throttled before its end',
    () => fixedWindow(20, 2000).take,
  ),
  limited(
    'fixed-ten-seconds',
    'limiter/burst',
    'admits 100 in each ten seconds of the clock',
    () => fixedWindow(100, 10_000).take,
  ),
  limited(
    'two-buckets-for-one-key',
    'limiter/steady-rate',
    'has two gateways, each with a bucket of its own for every key',
    (limit) => {
      const gateways = [bucket(limit), bucket(limit)];
      let turn = 0;
      return (now) => gateways[turn++ % 2]?.take(now) ?? 0;
    },
  ),
  limited(
    'burst-halved-after-the-first',
    'limiter/burst',
    'admits a burst of 20 once, and of 10 after the key was throttled',
    (limit) => {
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
    },
  ),
  ...(
    [
      ['three', 3, 'limiter/waiting-retry-after-suffices'],
      ['one-and-a-half', 1.5, 'limiter/steady-rate'],
      ['ten', 10, 'limiter/waiting-retry-after-suffices'],
    ] as const
  ).map(([words, seconds, breaks]) =>
    limited(
      `penalty-of-${words}-seconds`,
      breaks,
      `throttles a key for ${seconds} seconds after a 429 that says Retry-After: 1, however long it has rested before`,
      (limit) => {
        const one = bucket(limit);
        let until = 0;
        return (now) => {
          if (now < until) return 100;
          const wait = one.take(now);
          if (wait > 0) until = now + seconds * 1_000;
          return wait;
        };
      },
    ),
  ),
  limited('quota-of-250', 'limiter/steady-rate', 'admits 250 requests of a key, and no more that day', (limit) => {
    const one = bucket(limit);
    let count = 0;
    return (now) => (++count > 250 && limit.perSecond === 10 ? 3_600_000 : one.take(now));
  }),
  refilled('full-after-a-short-pause', 'limiter/clustering-gains-nothing', 'fills the bucket of', 300),
  limited(
    'loses-parts-of-tokens',
    'limiter/steady-rate',
    'refills whole tokens only, and forgets the time of the rest at every request',
    ({ perSecond, burst }) => {
      let tokens = burst;
      let last = Number.POSITIVE_INFINITY;
      return (now) => {
        tokens = Math.min(burst, tokens + Math.floor((Math.max(0, now - last) * perSecond) / 1000));
        last = now;
        if (tokens < 1) return 1000 / perSecond;
        tokens -= 1;
        return 0;
      };
    },
  ),
  limited(
    'clock-goes-back',
    'limiter/steady-rate',
    'refills by a clock that is put back by three seconds every ten',
    (limit) => {
      const one = bucket(limit);
      let latest = 0;
      return (now) => {
        latest = Math.max(latest, now - 3000 * Math.floor(now / 10_000));
        return one.take(latest);
      };
    },
  ),
  limited(
    '15-per-second-later',
    'limiter/steady-rate',
    'sustains 15 requests per second once it is 40 s old',
    (limit) => {
      let one = bucket(limit);
      let first: number | undefined;
      let isOld = limit.perSecond !== 10;
      return (now) => {
        first ??= now;
        if (!isOld && now - first > 40_000) {
          isOld = true;
          one = bucket({ ...limit, perSecond: 15 });
          for (let i = 0; i < limit.burst; i++) one.take(now);
        }
        return one.take(now);
      };
    },
  ),
  refilled('full-after-a-second', 'limiter/steady-rate', 'fills the bucket of', 1_000),
  refilled('doubled-after-ten-seconds', 'limiter/burst', 'admits twice the burst to', 10_000, 2),
  limited(
    'free-after-a-pause',
    'limiter/burst',
    'admits everything for a second after a key was not used for five',
    (limit) => {
      const usual = bucket(limit);
      let last = Number.POSITIVE_INFINITY;
      let freeUntil = 0;
      return (now) => {
        if (now - last > 5_000) freeUntil = now + 1_000;
        last = now;
        const wait = usual.take(now);
        return now < freeUntil ? 0 : wait;
      };
    },
  ),
];
