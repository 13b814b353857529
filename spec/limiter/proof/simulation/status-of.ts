import type { Admission } from '../../admission.ts';

/** A status for each kind of admission. */
export const statusOf: Readonly<Record<Admission, number>> = {
  admitted: 200,
  throttled: 429,
  refused: 404,
  unknown: 0,
};
