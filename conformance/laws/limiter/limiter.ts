import type { Law } from '../judging/law.ts';
import { beforeHandler } from './429-comes-before-the-handler.ts';
import { buckets } from './buckets.ts';
import { burstReading } from './burst-reading.ts';
import { every429 } from './every-429.ts';
import { overTheRate } from './over-the-rate-is-429.ts';
import { ownBucket } from './own-bucket-per-key.ts';
import { waitIsNeeded, waitSuffices } from './waiting-retry-after-suffices.ts';

/** Laws about the rate limiter: the bucket of every used key, and every 429. */
export const limiter: readonly Law[] = [
  overTheRate,
  ...every429,
  waitSuffices,
  waitIsNeeded,
  beforeHandler,
  ...buckets,
  burstReading,
  ownBucket,
];
