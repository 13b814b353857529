import type { Limiter, RateLimit } from '../mock/keys/bucket.ts';

/** When a recorded request may have reached the limiter, and whether it was throttled there; null outside of a replay. */
export interface Arrival {
  readonly sentAt: number;
  readonly doneAt: number;
  readonly throttled: boolean;
}

/**
 * A token bucket that decides as was recorded wherever a network explains it: a request arrived at some time between sending and reply, which decides
 * how full the bucket was. Else it decides as the bucket of the mock does. The recorded decisions are what takes tokens, so that one
 * difference is not counted again in all that follow.
 */
export function explainedLimiter(limit: RateLimit, arrival: () => Arrival | null): Limiter {
  let { perSecond, burst } = limit;
  /** The fullest and the emptiest that the bucket can be, each as of a time. */
  let most = { tokens: burst, at: Number.NEGATIVE_INFINITY };
  let least = most;
  const later = ({ tokens, at }: typeof most, now: number) => ({
    tokens:
      now > at && at !== Number.NEGATIVE_INFINITY ? Math.min(burst, tokens + ((now - at) / 1000) * perSecond) : tokens,
    at: Math.max(now, at),
  });
  const without = ({ tokens, at }: typeof most) => ({ tokens: Math.max(0, tokens - 1), at });
  const rounding = 1e-6;

  return {
    take(now) {
      if (burst === Number.POSITIVE_INFINITY) return 0;
      const { sentAt, doneAt, throttled } = arrival() ?? { sentAt: now, doneAt: now, throttled: false };
      const mayPass = later(most, doneAt).tokens >= 1 - rounding;
      const mayFail = later(least, sentAt).tokens < 1;
      const level = later(least, now).tokens;
      if (!throttled) {
        // Earlier arrivals leave more time to fill again.
        most = without(later(most, sentAt));
        least = without(later(least, doneAt));
      }
      const passes = throttled ? !mayFail : mayPass;
      return passes ? 0 : Math.max(1, ((1 - Math.min(1, level)) / perSecond) * 1000);
    },
    level: (now) => later(least, now).tokens,
    limitTo(next, now) {
      [most, least] = [later(most, now), later(least, now)];
      ({ perSecond, burst } = next);
      [most, least] = [most, least].map(({ tokens, at }) => ({ tokens: Math.min(tokens, burst), at })) as [
        typeof most,
        typeof most,
      ];
    },
    refill() {
      most = least = { tokens: burst, at: Number.NEGATIVE_INFINITY };
    },
  };
}
