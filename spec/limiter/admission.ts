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
