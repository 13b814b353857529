import { admissionOf } from '../admission.ts';
import type { Observation } from '../observation.ts';

type Window = {
  /** `refill`: a bucket that gets so many tokens at once; `some`: fixed or sliding, which did not show. */
  readonly kind: 'fixed' | 'refill' | 'some';
  readonly seconds: number;
  readonly requests: number;
};

/** So many admitted in a row after so many that were throttled in a row: no empty bucket that refills does that. */
const [longRun, longPause] = [4, 2];
const atOnceMs = 100;

/**
 * The window that a limiter seems to count in: under overload it admits requests in a row, then none, at equal intervals. Fixed
 * where more than one window's requests were once admitted within its length, a refill where more than two windows' were.
 */
export function windowOf(observations: readonly Observation[]): Window | undefined {
  const decided = observations
    .map(({ sentAt, status }) => ({ sentAt, admission: admissionOf(status) }))
    .filter(({ admission }) => admission === 'admitted' || admission === 'throttled')
    .sort((a, b) => a.sentAt - b.sentAt);
  const runs: { readonly begin: number; end: number; size: number }[] = [];
  let pause = 0;
  let run: { readonly begin: number; end: number; size: number } | undefined;
  for (const { sentAt, admission } of decided) {
    if (admission === 'throttled') {
      run = undefined;
      pause += 1;
    } else if (run !== undefined) {
      run.size += 1;
      run.end = sentAt;
    } else {
      run = { begin: sentAt, end: sentAt, size: 1 };
      if (pause >= longPause) runs.push(run);
    }
    if (admission === 'admitted') pause = 0;
  }
  const admitted = decided.filter(({ admission }) => admission === 'admitted').map(({ sentAt }) => sentAt);
  // A volley is a run of our making.
  const begins = runs
    .filter(({ begin, end, size }) => size >= longRun && end - begin >= atOnceMs)
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
  const within = (count: number) =>
    admitted.some(
      (at, index) => (admitted[index + Math.ceil(count) - 1] ?? Number.POSITIVE_INFINITY) - at < 0.8 * typical,
    );
  const hidden = jitterOf(observations) > typical / 8;
  const kind = hidden ? 'some' : within(2.6 * requests) ? 'refill' : within(1.3 * requests) ? 'fixed' : 'some';
  return { kind, seconds: nearest(typical / 1000), requests };
}

/** Lengths that people choose; requests in a row blur what is seen of them. */
const usual = [0.1, 0.2, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 10, 15, 20, 30, 60];
const nearest = (seconds: number): number =>
  usual.find((length) => Math.abs(seconds - length) <= 0.1 * length) ?? Number(seconds.toPrecision(2));

/** As equal as requests at intervals can show. */
const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= Math.max(1, 0.12 * other);

/** How much longer one round trip takes than another, the tenth at either end left out. */
function jitterOf(observations: readonly Observation[]): number {
  const trips = observations.map(({ sentAt, doneAt }) => doneAt - sentAt).sort((a, b) => a - b);
  const at = (part: number) => trips[Math.floor(part * (trips.length - 1))] ?? 0;
  return at(0.9) - at(0.1);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
