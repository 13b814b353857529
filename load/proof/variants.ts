import type { ApiReply, MockOptions } from '../../mock/index.ts';
import { createBucket, type Limiter, type RateLimit } from '../../mock/keys/bucket.ts';

/** A mock that keeps the contract, or breaks it in one way. */
interface Variant {
  readonly createLimiter?: NonNullable<MockOptions['createLimiter']>;
  readonly changeReply?: (reply: ApiReply) => ApiReply;
}

const always = (limit: RateLimit) => () => createBucket(limit);

/** Counts in windows that begin at whole multiples of their length, as many simple gateways do. */
function fixedWindows(milliseconds: number, max: number): Limiter {
  let [window, used] = [0, 0];
  return {
    take(now) {
      const current = Math.floor(now / milliseconds);
      if (current !== window) [window, used] = [current, 0];
      if (used >= max) return (current + 1) * milliseconds - now;
      used += 1;
      return 0;
    },
    level: () => max - used,
    limitTo: () => {},
    refill: () => {
      used = 0;
    },
  };
}

/** Says that one second is enough, and throttles for three. */
function lying(limit: RateLimit): Limiter {
  const bucket = createBucket(limit);
  let blockedUntil = 0;
  return {
    ...bucket,
    take(now) {
      if (now < blockedUntil) return 500;
      const wait = bucket.take(now);
      if (wait > 0) blockedUntil = now + 3000;
      return wait;
    },
  };
}

function shared(): NonNullable<MockOptions['createLimiter']> {
  let only: Limiter | undefined;
  return (limit) => {
    only ??= createBucket(limit);
    return only;
  };
}

const on429 = (change: (reply: ApiReply) => ApiReply) => (reply: ApiReply) =>
  reply.status === 429 ? change(reply) : reply;

/** Every variant of the mock, by name. Each call makes a new one, because limiters have state. */
export const variants: Readonly<Record<string, () => Variant>> = {
  right: () => ({}),
  '12 rps': () => ({ createLimiter: always({ perSecond: 12, burst: 20 }) }),
  '8 rps': () => ({ createLimiter: always({ perSecond: 8, burst: 20 }) }),
  'burst 15': () => ({ createLimiter: always({ perSecond: 10, burst: 15 }) }),
  'burst 40': () => ({ createLimiter: always({ perSecond: 10, burst: 40 }) }),
  'fixed windows of 1 s': () => ({ createLimiter: () => fixedWindows(1000, 30) }),
  'shared bucket': () => ({ createLimiter: shared() }),
  'lying Retry-After': () => ({ createLimiter: lying }),
  '429 without body': () => ({ changeReply: on429((reply) => ({ ...reply, body: '' })) }),
  '429 without Retry-After': () => ({
    changeReply: on429((reply) => ({
      ...reply,
      headers: Object.fromEntries(
        Object.entries(reply.headers).filter(([name]) => name.toLowerCase() !== 'retry-after'),
      ),
    })),
  }),
  'burst of 30': () => ({ createLimiter: always({ perSecond: 10, burst: 30 }) }),
};
