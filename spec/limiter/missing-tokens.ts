import { envelope } from './envelope.ts';
import { proofs } from './judge.ts';
import type { Limit } from './limit.ts';
import type { Observation } from './observation.ts';

/**
 * The tokens that a bucket of the declared limit surely held at the 429 with the strongest proof; 0 if every 429 was right. Throttled requests
 * take none.
 * @param observations all requests of a key whose bucket was full before the first
 */
export const missingTokens = (limit: Limit, observations: readonly Observation[]): number =>
  observations.length === 0 ? 0 : (proofs(limit, envelope(observations, limit, {})).tooStrict?.tokens ?? 0);

/** A rested key that misses this many tokens may share its bucket with another key. Other clients rarely take so many at once. */
export const manyTokens = ({ burst }: Limit): number => burst / 3;
