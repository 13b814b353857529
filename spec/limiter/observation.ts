import { type Limit, restSeconds } from './limit.ts';

/**
 * One request as its client saw it. The gateway decided it somewhere between `sentAt` (not sent before) and `doneAt` (answered by
 * then), in milliseconds of one clock that never goes back. `status`: of the reply, 0 where none came. `operation`: what was asked
 * for, where requests of several kinds are mixed.
 */
export type Observation = {
  readonly sentAt: number;
  readonly doneAt: number;
  readonly status: number;
  readonly operation?: string | undefined;
};

/** In the order of sending. */
export const inOrder = (observations: readonly Observation[]): readonly Observation[] =>
  observations.toSorted((a, b) => a.sentAt - b.sentAt);

/**
 * Splits observations wherever the key was idle for so long that its bucket was full.
 * @param samples in the order of sending
 * @param idle seconds; default: with a second to spare
 */
export function restedRuns<T extends Pick<Observation, 'sentAt' | 'doneAt'>>(
  samples: readonly T[],
  limit: Limit,
  idle = restSeconds(limit),
): readonly (readonly T[])[] {
  const runs: T[][] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const sample of samples) {
    if (sample.sentAt - free >= idle * 1000) runs.push([]);
    runs.at(-1)?.push(sample);
    free = Math.max(free, sample.doneAt);
  }
  return runs;
}
