import type { RateLimit } from '../control/control-types.ts';

/** A rate limit as text. @param limit null for no limit */
export const describeLimit = (limit: RateLimit | null): string =>
  limit === null ? 'no limit' : `${limit.perSecond}/s, ${limit.burst} at once`;
