import { admissionOf } from '../admission.ts';
import type { Observation } from '../observation.ts';

/** So many admitted in a row after so many that were throttled in a row: no empty bucket that refills does that. */
const [longRun, longPause] = [4, 2];
const atOnceMs = 100;

/** The window that a limiter seems to count in: under overload it admits requests in a row, then none, at equal intervals. */
export function windowOf(
  observations: readonly Observation[],
): { readonly seconds: number; readonly requests: number } | undefined {
  const decided = observations
    .map(({ sentAt, status }) => ({ sentAt, admission: admissionOf(status) }))
    .filter(({ admission }) => admission === 'admitted' || admission === 'throttled')
    .sort((a, b) => a.sentAt - b.sentAt);
  const runs: { readonly begin: number; readonly pause: number; end: number; size: number }[] = [];
  let pause = 0;
  for (const { sentAt, admission } of decided) {
    const run = runs.at(-1);
    if (admission === 'throttled') pause += 1;
    else if (run === undefined || pause > 0) {
      runs.push({ begin: sentAt, pause, end: sentAt, size: 1 });
      pause = 0;
    } else {
      run.size += 1;
      run.end = sentAt;
    }
  }
  const admitted = decided.filter(({ admission }) => admission === 'admitted').map(({ sentAt }) => sentAt);
  // A volley is a run of our making.
  const begins = runs
    .filter((run) => run.pause >= longPause && run.size >= longRun && run.end - run.begin >= atOnceMs)
    .map(({ begin }) => begin);
  const gaps = begins.slice(1).map((begin, index) => {
    const from = begins[index] ?? 0;
    return { length: begin - from, size: admitted.filter((at) => at >= from && at < begin).length };
  });
  const typical = median(gaps.map(({ length }) => length));
  const alike = gaps.filter(({ length }) => isNear(length, typical));
  const requests = median(alike.map(({ size }) => size));
  const equal = alike.filter(({ size }) => isNear(size, requests));
  if (equal.length < 4 || equal.length < gaps.length / 3) return undefined;
  return { seconds: nearest(typical / 1000), requests };
}

/** Lengths that people choose; requests in a row blur what is seen of them. */
const usual = [0.1, 0.2, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 10, 15, 20, 30, 60];
const nearest = (seconds: number): number =>
  usual.find((length) => Math.abs(seconds - length) <= 0.1 * length) ?? Number(seconds.toPrecision(2));

/** As equal as requests at intervals can show. */
const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= Math.max(1, 0.12 * other);

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
