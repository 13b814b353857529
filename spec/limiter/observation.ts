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

/**
 * What a reply says about the limiter:
 * - `admitted`: a 2xx. Only the operation gives one, so the request passed the limiter and took a token.
 * - `throttled`: a 429.
 * - `refused`: any other 3xx or 4xx. The refusal may come from before or behind the limiter, so a token was taken or not.
 * - `unknown`: no reply, or a 5xx. A token was taken or not, perhaps later: a gateway that gave up may have passed the request on.
 */
export type Admission = 'admitted' | 'throttled' | 'refused' | 'unknown';

/** The one reading of a status for mock, conformance and load. `status` 0: no reply came. */
export function admissionOf(status: number): Admission {
  if (status === 429) return 'throttled';
  if (status >= 200 && status < 300) return 'admitted';
  return status >= 300 && status < 500 ? 'refused' : 'unknown';
}

/** Requests of every kind together. */
export const totalOf = (counts: Readonly<Record<Admission, number>>): number =>
  counts.admitted + counts.throttled + counts.refused + counts.unknown;
