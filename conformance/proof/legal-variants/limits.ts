import type { RateLimit } from '../../../mock/keys/bucket.ts';
import { bucket, gcra, type Limiting, limiter } from '../limiters.ts';
import type { LegalVariant } from './legal-variant.ts';

const limitedBy = (make: (limit: RateLimit) => Limiting) => () => ({
  createLimiter: (limit: RateLimit) => limiter(() => make(limit)),
});

const retryAfter = (seconds: number) => () => ({ profile: { limits: { retryAfter: seconds } } });

/** Honest readings of "burst 20 on top of 10 per second". */
export const limits: readonly LegalVariant[] = [
  { id: 'gcra-20', does: 'limits by GCRA that tolerates 20', options: limitedBy(gcra) },
  {
    id: 'gcra-30',
    does: 'limits by GCRA that tolerates 30',
    options: limitedBy(({ perSecond, burst }) => gcra({ perSecond, burst: burst + perSecond })),
  },
  {
    id: 'bucket-30',
    does: 'has a bucket that holds 30',
    options: limitedBy(({ perSecond, burst }) => bucket({ perSecond, burst: burst + perSecond })),
  },
  {
    id: 'bucket-25',
    does: 'has a bucket that holds 25',
    options: limitedBy(({ perSecond, burst }) => bucket({ perSecond, burst: burst + 5 })),
  },
  { id: 'refill-in-ticks', does: 'refills its bucket every 100 ms', options: limitedBy((limit) => bucket(limit, 100)) },
  { id: 'retry-after-3', does: 'always says Retry-After: 3', options: retryAfter(3) },
  { id: 'ten-million-bytes', does: 'takes 10 MB for 10,000,000 bytes', options: () => ({ bodyLimit: 10_000_000 }) },
];
