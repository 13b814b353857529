import { usualLimit } from '../../spec/limiter/limit.ts';

/** The rate limit of a key: `perSecond` sustained requests, `burst` requests at once. Infinity in both means no limit. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** The default limit: 10 requests per second and a burst of 20 (see the specification's section on limits). */
export const defaultRateLimit: RateLimit = usualLimit;

/** Decides whether a request of a key passes. A rejected request takes no token. */
export interface Limiter {
  /** Returns 0 if a request may pass at `now` (ms), else the milliseconds until one may pass. */
  take(now: number): number;
  /** How many requests would pass at once at `now` (ms); may be a fraction. */
  level(now: number): number;
  /** Changes the limit. Used tokens stay used. */
  limitTo(limit: RateLimit, now: number): void;
}

/** The tolerance for rounding errors, so that requests sent exactly at the rate are never throttled. */
const rounding = 1e-6;

/** A continuous token bucket: holds `burst` tokens, starts full, and refills steadily at `perSecond`. */
export function createBucket(limit: RateLimit): Limiter {
  let { perSecond, burst } = limit;
  let tokens = burst;
  let at = Number.NEGATIVE_INFINITY;

  const settle = (now: number) => {
    // After a reset the clock may be before `at`. Then nothing is refilled.
    if (now > at && at !== Number.NEGATIVE_INFINITY) tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
    at = now;
  };

  return {
    take(now) {
      settle(now);
      if (tokens < 1 - rounding) return ((1 - tokens) / perSecond) * 1000;
      tokens = Math.max(0, tokens - 1);
      return 0;
    },
    level(now) {
      settle(now);
      return tokens;
    },
    limitTo(next, now) {
      settle(now);
      ({ perSecond, burst } = next);
      tokens = burst === Number.POSITIVE_INFINITY ? burst : Math.min(tokens, burst);
    },
  };
}

/** The value of `Retry-After` for a wait: whole seconds, rounded up, at least 1 and at most 2^31 - 1. */
export function retryAfterSeconds(waitMilliseconds: number): number {
  return Math.min(2 ** 31 - 1, Math.max(1, Math.ceil(waitMilliseconds / 1000 - rounding)));
}

const minute = 60_000;
/** In milliseconds. */
const quarter = 250;
const maxMoments = minute / quarter + 1;

export type RecordedLimiter = ReturnType<typeof recorded>;

/** A limiter that remembers its last minute, by quarters of a second. */
export function recorded(limiter: Limiter) {
  const moments: ReturnType<typeof momentAt>[] = [];
  /** Times are milliseconds since the epoch by the mock's clock, of the first and the last request; levels are those before and after them. */
  const momentAt = (now: number) => {
    const before = limiter.level(now);
    return { from: now, to: now, admitted: 0, throttled: 0, before, after: before };
  };
  return {
    ...limiter,
    take(now: number): number {
      let moment = moments.at(-1);
      if (moment === undefined || Math.floor(moment.from / quarter) !== Math.floor(now / quarter)) {
        moment = momentAt(now);
        moments.push(moment);
        if (moments.length > maxMoments) moments.shift();
      }
      const wait = limiter.take(now);
      moment[wait > 0 ? 'throttled' : 'admitted']++;
      moment.to = now;
      moment.after = limiter.level(now);
      return wait;
    },
    /**
     * The last minute before `now`, oldest first. Quarters of a second without a request are left out, and if the clock was set back, later
     * ones.
     */
    lastMinute: (now: number) =>
      moments.filter(({ to }) => to > now - minute && to <= now).map((moment) => ({ ...moment })),
  };
}
