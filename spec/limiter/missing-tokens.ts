import { envelope } from './envelope.ts';
import type { Limit } from './limit.ts';
import type { Observation } from './observation.ts';
import { proofs } from './proofs.ts';

/**
 * The tokens that a bucket of the declared limit surely held at the 429 with the strongest proof; 0 if every 429 was right. Throttled requests
 * take none.
 * @param observations all requests of a key whose bucket was full before the first
 */
export const missingTokens = (limit: Limit, observations: readonly Observation[]): number =>
  observations.length === 0 ? 0 : (proofs(limit, envelope(observations, limit, {})).tooStrict?.tokens ?? 0);

/** A rested key that misses this many tokens may share its bucket with another key. Other clients rarely take so many at once. */
export const manyTokens = ({ burst }: Limit): number => burst / 3;

/** Requests within this many milliseconds are one volley. */
export const volleyMilliseconds = 20;

/** The largest volley of a run. */
export const volleyOf = (run: readonly Observation[]): readonly Observation[] => {
  const groups: Observation[][] = [];
  for (const sample of run) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && sample.sentAt - last[0].sentAt <= volleyMilliseconds) last.push(sample);
    else groups.push([sample]);
  }
  return groups.reduce((largest, group) => (group.length > largest.length ? group : largest), []);
};

/**
 * The tokens that a rested key missed at first: in its largest volley if that was throttled, else in all requests, which are then fewer than
 * its burst at once. Later requests may be throttled for other reasons than another key. On a busy machine a volley comes in parts, so what
 * was admitted beside the largest part counts as well.
 */
export const missingAtFirst = (limit: Limit, observations: readonly Observation[]): number => {
  const largest = volleyOf(observations.toSorted((a, b) => a.sentAt - b.sentAt));
  if (largest.length < limit.burst) return missingTokens(limit, observations);
  const end = Math.max(...largest.map(({ doneAt }) => doneAt));
  const isAdmitted = ({ status }: Observation) => status !== 0 && status !== 429;
  return missingTokens(
    limit,
    observations.filter((one) => largest.includes(one) || (isAdmitted(one) && one.sentAt <= end)),
  );
};
