/** A key's limit: `perSecond` requests sustained, `burst` requests at once. Infinity in both means no limit. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Limits by default: 10 requests per second and a burst of 20 (the specification's section on limits). */
export const defaultRateLimit: RateLimit = Object.freeze({ perSecond: 10, burst: 20 });

/** Decides whether a request of a key passes. A rejected request takes no token. */
export interface Limiter {
  /** 0 when the request may pass at `now` (ms), else the milliseconds until a request would. */
  take(now: number): number;
  /** Requests that would pass at once at `now` (ms), as a fraction. */
  level(now: number): number;
  /** Changes the limit; tokens that were used stay used. */
  limitTo(limit: RateLimit, now: number): void;
  /** Fills the bucket again. */
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
    // After a reset the clock may be before `at`; negative time refills nothing.
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
