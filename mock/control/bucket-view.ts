import type { Mock } from '../create-mock.ts';
import type { ApiKey } from '../keys/key-ring.ts';
import type { BucketMoment } from '../keys/recorded-limiter.ts';
import { dateTime, keyView } from './views.ts';

/** A bucket as it is now, and what it let pass in the last minute. Level and wait are null where there is no limit. */
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
    /** Milliseconds until one request will pass. */
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

/** Infinity is no JSON. */
const finite = (level: number) => (Number.isFinite(level) ? level : null);
