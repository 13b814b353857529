import type { K6Ended } from './run-k6.ts';

/** k6's exit code for thresholds that were crossed: the run itself went as planned. */
const thresholds = 99;

/** Why a run of k6 did not go as planned, in words; empty when it did. */
export function doubtsOf({ code, signal, said, interrupted, tooLarge, overdue }: K6Ended): readonly string[] {
  if (interrupted) return ['the run was interrupted'];
  if (tooLarge) return ['k6 held too much memory and was ended: a reply may unpack to far more bytes than were sent'];
  if (overdue)
    return ['k6 had not ended long after its plan, and was ended: it was stopped, or the machine stood still'];
  if (code === 0 || code === thresholds) return [];
  if (signal !== null) return [`k6 was killed by ${signal}`];
  const reason = [...said].reverse().find((line) => /preflight|abort|rror|panic/.test(line)) ?? said.at(-1) ?? '';
  const stopped = reason.replace(/^test aborted:\s*/, '').replace(/\s+at \S+ \(file:.*$/s, '');
  if (stopped === '') return [`k6 ended with ${code}`];
  return [code === 108 ? stopped : `k6 ended with ${code}: ${stopped}`];
}
