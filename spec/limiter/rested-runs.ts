import { type Limit, restSeconds } from './limit.ts';
import type { Observation } from './observation.ts';

/**
 * Splits observations wherever the key was idle for so long that its bucket was full.
 * @param samples in the order of sending
 */
export function restedRuns<T extends Pick<Observation, 'sentAt' | 'doneAt'>>(
  samples: readonly T[],
  limit: Limit,
): readonly (readonly T[])[] {
  const runs: T[][] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const sample of samples) {
    if (sample.sentAt - free >= restSeconds(limit) * 1000) runs.push([]);
    runs.at(-1)?.push(sample);
    free = Math.max(free, sample.doneAt);
  }
  return runs;
}
