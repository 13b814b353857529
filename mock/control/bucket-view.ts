import type { Mock } from '../create-mock.ts';
import type { ApiKey } from '../keys/key-ring.ts';
import type { BucketMoment } from '../keys/recorded-limiter.ts';
import { dateTime, keyView } from './views.ts';

/** The current state of a bucket, and its last minute. Level and wait are null for a key without a limit. */
export function bucketView(mock: Mock, key: ApiKey, now: number) {
  const { id, tenant, name, rateLimit, lastUsedAt } = keyView(mock, key);
  const level = key.bucket.level(now);
  const minute = key.bucket.lastMinute(now);
  return {
    id,
    tenant,
    name,
    rateLimit,
    level: finite(level),
    /** Milliseconds until the next request will pass. */
    wait: rateLimit && (Math.max(0, 1 - level) / rateLimit.perSecond) * 1_000,
    admitted: minute.reduce((sum, { admitted }) => sum + admitted, 0),
    throttled: minute.reduce((sum, { throttled }) => sum + throttled, 0),
    lastUsedAt,
  };
}

export const momentView = ({ from, to, before, after, admitted, throttled }: BucketMoment) => ({
  from: dateTime(from),
  to: dateTime(to),
  admitted,
  throttled,
  before: finite(before),
  after: finite(after),
});

/** JSON has no Infinity. */
const finite = (level: number) => (Number.isFinite(level) ? level : null);
