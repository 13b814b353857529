import type { Outcome } from '../../spec/rate-limit.ts';

/** Requests are given up after this long, so that none is still on its way when a run ends. */
export const requestTimeoutMs = 10_000;

/**
 * What an answer says about the limiter. 403 is the gateway's own, so the bucket may not have been asked; what answers 502,
 * 503 or 504 stands before or beside it.
 */
export function outcomeOf(status: number): Outcome {
  if (status === 429) return 'throttled';
  return status === 0 || status === 403 || status === 502 || status === 503 || status === 504 ? 'unknown' : 'admitted';
}
