import type { Profile } from '../../spec/files/profile-schema.ts';
import { createBucket, type Limiter, type RateLimit, retryAfterSeconds } from '../keys/bucket.ts';

type Reading = NonNullable<NonNullable<Profile['limits']>['reading']>;

/**
 * How many pass at once, by each reading of "burst 20 on top of 10 per second", for a key of any limit. A GCRA that tolerates
 * a burst of n admits n + 1 at once and is otherwise the same as a continuous bucket of that size.
 */
const atOnce: Readonly<Record<Reading, (limit: RateLimit) => number>> = {
  'bucket-20': ({ burst }) => burst,
  'gcra-21': ({ burst }) => burst + 1,
  'bucket-30': ({ burst, perSecond }) => burst + perSecond,
  'gcra-31': ({ burst, perSecond }) => burst + perSecond + 1,
};

/** Limiters that read a key's limit in that way. */
export function limiterFor(reading: Reading, create = createBucket): (limit: RateLimit) => Limiter {
  const read = (limit: RateLimit): RateLimit => ({ ...limit, burst: Math.floor(atOnce[reading](limit)) });
  return (limit) => {
    const limiter = create(read(limit));
    return { ...limiter, limitTo: (next, now) => limiter.limitTo(read(next), now) };
  };
}

/** What a throttled client is told to wait, in seconds. */
export function retryAfterFor(retryAfter: 'computed' | number = 'computed'): (waitMilliseconds: number) => number {
  return retryAfter === 'computed' ? retryAfterSeconds : () => retryAfter;
}
