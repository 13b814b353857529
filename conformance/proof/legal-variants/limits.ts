import type { RateLimit } from '../../../mock/keys/bucket.ts';
import { bucket, gcra, type Limiting, limiter } from '../tampering/limiters.ts';
import type { LegalVariant } from './legal-variant.ts';

const limitedBy = (make: (limit: RateLimit) => Limiting) => () => ({
  createLimiter: (limit: RateLimit) => limiter(limit, make),
});

/** A bucket from which rejected requests take, too. @param debt how far below nothing it may go, in bursts */
const consuming =
  (debt: number) =>
  ({ perSecond, burst }: RateLimit): Limiting => {
    let tokens = burst;
    let at: number | null = null;
    return {
      take(now) {
        if (at !== null) tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
        at = now;
        tokens -= 1;
        const wait = tokens >= -1e-6 ? 0 : (-tokens / perSecond) * 1000;
        tokens = Math.max(-debt * burst, tokens);
        return wait;
      },
    };
  };

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
  {
    // The specification does not say whether refused requests consume: `limiter/rejected-consume` was a defect before that was decided.
    id: 'rejected-requests-consume',
    does: 'lets throttled requests take from the bucket, so that a key under overload gets nothing',
    options: limitedBy(consuming(0)),
    unjudged: ['limiter/steady-rate'],
  },
  {
    id: 'rejected-requests-go-into-debt',
    does: 'lets throttled requests take from the bucket, down to a whole burst of debt',
    options: limitedBy(consuming(1)),
    unjudged: ['limiter/steady-rate'],
  },
  { id: 'retry-after-3', does: 'always says Retry-After: 3', options: retryAfter(3) },
  { id: 'ten-million-bytes', does: 'takes 10 MB for 10,000,000 bytes', options: () => ({ bodyLimit: 10_000_000 }) },
];
