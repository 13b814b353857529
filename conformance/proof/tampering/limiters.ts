import type { MockOptions } from '../../../mock/index.ts';
import type { RateLimit } from '../../../mock/keys/bucket.ts';

type Limiter = ReturnType<NonNullable<MockOptions['createLimiter']>>;

/** A limiter with its own state. Returns 0 if a request may pass at `now` (ms), else the wait in ms. */
export interface Limiting {
  take(now: number): number;
}

/** Turns such a function into a limiter of the mock. */
export function limiter(first: RateLimit, make: (limit: RateLimit) => Limiting): Limiter {
  let limit = first;
  let current = make(limit);
  return {
    take: (now) => current.take(now),
    level: () => 1,
    limitTo(next) {
      limit = next;
      current = make(limit);
    },
    refill: () => {
      current = make(limit);
    },
  };
}

/** A bucket that refills continuously, or in steps of this many ms. */
export function bucket({ perSecond, burst }: RateLimit, tick = 0): Limiting {
  let tokens = burst;
  let at: number | null = null;
  return {
    take(time) {
      const now = tick > 0 ? Math.floor(time / tick) * tick : time;
      if (at !== null) tokens = Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * perSecond);
      at = now;
      if (tokens >= 1 - 1e-6) {
        tokens -= 1;
        return 0;
      }
      return Math.max(1, ((1 - tokens) / perSecond) * 1000 + now - time);
    },
  };
}

/** The generic cell rate algorithm: a request may be early by this many intervals. */
export function gcra({ perSecond, burst }: RateLimit): Limiting {
  const interval = 1000 / perSecond;
  let due = Number.NEGATIVE_INFINITY;
  return {
    take(now) {
      const early = Math.max(due, now) - now;
      if (early > burst * interval + 1e-6) return early - burst * interval;
      due = Math.max(due, now) + interval;
      return 0;
    },
  };
}

/** A fixed window: a number of requests in each second of the clock. */
export function fixedWindow(most: number, window = 1000): Limiting {
  let number = Number.NaN;
  let count = 0;
  return {
    take(now) {
      const current = Math.floor(now / window);
      if (current !== number) count = 0;
      number = current;
      if (count >= most) return (current + 1) * window - now;
      count += 1;
      return 0;
    },
  };
}
