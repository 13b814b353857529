/** A key's limit: `perSecond` requests sustained, `burst` requests at once. Infinity in both means no limit. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Limits by default: 10 requests per second and a burst of 20 (the specification's section on limits). */
export const defaultRateLimit: RateLimit = Object.freeze({ perSecond: 10, burst: 20 });

/** What stands between a key and the handler. A rejected request takes nothing. */
export interface Limiter {
  /** 0 when the request may pass at `now` (ms), else the milliseconds until one would. */
  take(now: number): number;
  /** Requests that would pass at once at `now` (ms), as a fraction. */
  level(now: number): number;
  /** Changes the limit without touching what was used. */
  limitTo(limit: RateLimit, now: number): void;
  /** As if never used. */
  refill(): void;
}

/** Sums of fractions of a millisecond may miss a whole token by this much: paced at the rate is never throttled. */
const rounding = 1e-6;

/** A continuous token bucket: holds `burst`, starts full, refills at `perSecond` at every moment. */
export function createBucket(limit: RateLimit): Limiter {
  let { perSecond, burst } = limit;
  let tokens = burst;
  let at = Number.NEGATIVE_INFINITY;

  const settle = (now: number) => {
    // A clock that was reset may stand before `at`; time that has not passed refills nothing.
    if (now > at && at !== Number.NEGATIVE_INFINITY) tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
    at = now;
  };

  return {
    take(now) {
      if (burst === Number.POSITIVE_INFINITY) return 0;
      settle(now);
      if (tokens < 1 - rounding) return ((1 - tokens) / perSecond) * 1000;
      tokens = Math.max(0, tokens - 1);
      return 0;
    },
    level(now) {
      if (burst === Number.POSITIVE_INFINITY) return burst;
      settle(now);
      return tokens;
    },
    limitTo(next, now) {
      if (burst !== Number.POSITIVE_INFINITY) settle(now);
      else tokens = next.burst;
      ({ perSecond, burst } = next);
      tokens = Math.min(tokens, burst);
    },
    refill() {
      tokens = burst;
      at = Number.NEGATIVE_INFINITY;
    },
  };
}

/** The wait as the `Retry-After` header has it: whole seconds, rounded up, at least 1 and at most what 31 bits hold (68 years). */
export function retryAfterSeconds(waitMilliseconds: number): number {
  return Math.min(2 ** 31 - 1, Math.max(1, Math.ceil(waitMilliseconds / 1000 - rounding)));
}
