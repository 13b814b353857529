import type { RateLimit } from '../control/control-types.ts';

/** A limit in words; null means that there is none. */
export const describeLimit = (limit: RateLimit | null): string =>
  limit === null ? 'no limit' : `${limit.perSecond}/s, ${limit.burst} at once`;
