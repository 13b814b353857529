import { seededRandom } from '../../../spec/random.ts';
import type { ApiReply, MockOptions } from '../../in-process.ts';
import { createBucket, type RateLimit } from '../../keys/bucket.ts';
import { replyWith } from './json-value.ts';
import { instead, type Scene } from './tamper.ts';

type Limiter = ReturnType<NonNullable<MockOptions['createLimiter']>>;

/** A limiter with its own state. Returns 0 if a request may pass at `now` (ms), else the wait in ms. */
export interface Limiting {
  take(now: number): number;
}

/** Turns such a function into a limiter of the mock. */
export function limiter(first: RateLimit, make: (limit: RateLimit) => Limiting): Limiter {
  let current = make(first);
  return {
    take: (now) => current.take(now),
    level: () => 1,
    limitTo(next) {
      current = make(next);
    },
  };
}

/** Options of a mock in which every key has such a limiter. */
export const limitedBy = (make: (limit: RateLimit) => Limiting) => () => ({
  createLimiter: (first: RateLimit) => limiter(first, make),
});

/** The usual 429. @param wait until a request may pass, in milliseconds */
export function tooManyRequests(wait: number): ApiReply {
  const reply = replyWith(429, { message: 'Too Many Requests' });
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(Math.max(1, Math.ceil(wait / 1000))) } };
}

/** A bucket that refills continuously, or in steps of this many ms. */
export function bucket(limit: RateLimit, tick = 0): Limiting {
  const continuous = createBucket(limit);
  return {
    take(now) {
      const at = tick > 0 ? Math.floor(now / tick) * tick : now;
      const wait = continuous.take(at);
      return wait === 0 ? 0 : Math.max(1, wait + at - now);
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

/** Another client that sends requests at about regular intervals with the same key. */
export const shared =
  (requests: number, milliseconds: number, name: string) =>
  (scene: Scene): Scene['handle'] => {
    const random = seededRandom(requests * milliseconds);
    const common = bucket({ perSecond: 10, burst: 20 });
    let next = 0;
    return instead(({ key, mock, id }) => {
      if (key?.name !== name || key.tenant !== 'acme' || key.revoked || id === 'storage') return undefined;
      const now = mock.clock.now();
      next ||= now;
      for (; next <= now; next += milliseconds * (0.5 + random())) for (let i = 0; i < requests; i++) common.take(next);
      const wait = common.take(now);
      return wait === 0 ? undefined : tooManyRequests(wait);
    })(scene);
  };
