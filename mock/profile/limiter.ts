import type { Profile } from '../../spec/files/profile-schema.ts';
import { createBucket, type Limiter, type RateLimit, retryAfterSeconds } from '../keys/bucket.ts';

type Reading = NonNullable<NonNullable<Profile['limits']>['reading']>;

/**
 * How many requests pass at once, for each reading of "burst 20 on top of 10 per second". A GCRA that tolerates a burst of n
 * admits n + 1 requests at once; apart from that it equals a continuous bucket of that size.
 */
const atOnce: Readonly<Record<Reading, (limit: RateLimit) => number>> = {
  'bucket-20': ({ burst }) => burst,
  'gcra-21': ({ burst }) => burst + 1,
  'bucket-30': ({ burst, perSecond }) => burst + perSecond,
  'gcra-31': ({ burst, perSecond }) => burst + perSecond + 1,
};

/** Creates limiters for a reading of the limit. */
export function limiterFor(reading: Reading, create = createBucket): (limit: RateLimit) => Limiter {
  const read = (limit: RateLimit): RateLimit => ({ ...limit, burst: Math.floor(atOnce[reading](limit)) });
  return (limit) => {
    const limiter = create(read(limit));
    return { ...limiter, limitTo: (next, now) => limiter.limitTo(read(next), now) };
  };
}

/** The seconds that a throttled client is told to wait. */
export function retryAfterFor(retryAfter: 'computed' | number = 'computed'): (waitMilliseconds: number) => number {
  return retryAfter === 'computed' ? retryAfterSeconds : () => retryAfter;
}
