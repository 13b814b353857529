import { type Admission, admissionOf } from '../../spec/limiter/admission.ts';
import type { EnvelopeOptions } from '../../spec/limiter/envelope.ts';
import type { Limit } from '../../spec/limiter/limit.ts';
import type { Observation } from '../../spec/limiter/observation.ts';

/** Why a verdict is as it is: a code for programs, a text for people. */
export interface Reason {
  /** For example `too-lax` or `key-refused`, or the id of a broken rule. */
  readonly code: string;
  readonly text: string;
}

/** A request that counts for its key, with what it was for: steady, volley, ask or retry. */
interface RawSample extends Observation {
  readonly phase: string;
  /** Of `ask` and `retry`: which belong together, over all files. */
  readonly trial?: string;
}

/** How often each text was seen. */
export type Tally = Map<string, number>;

export interface RawKey {
  readonly label: string;
  readonly limit: Limit;
  /** Among the keys of the scenario; the first of a pair is the overloaded one. */
  readonly position: number;
  readonly samples: RawSample[];
  /** Rule -> what was seen instead. */
  readonly malformed: Map<string, Tally>;
  /** The Retry-After that was waited for, by the trial of its samples. */
  readonly retries: Map<string, string>;
  /** Files that it was driven in, more than one when machines' outputs are merged. */
  readonly sources: Set<string>;
  /** How often driving it began and came to its end: fewer ends mean a run that was cut short. */
  started: number;
  ended: number;
  /** How far the times of its samples, all alike, may be from those of other keys, in ms: 0 where one machine drove all. */
  readonly withinMs: number;
  /** What else its samples are judged by. */
  readonly judging: Pick<EnvelopeOptions, 'skewMs' | 'startedFull'>;
}

interface RuleTally {
  checked: number;
  broken: number;
  readonly seen: Tally;
}

/** Requests by what their replies say about the limiter. */
type Bin = Record<Admission, number>;

export const noRequests: Readonly<Bin> = { admitted: 0, throttled: 0, refused: 0, unknown: 0 };

/** When a request was given up. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** All that one or several recordings say of a run. */
export interface RawRun {
  readonly files: string[];
  readonly scenarios: Set<string>;
  readonly keys: Map<string, RawKey>;
  /** What flows checked, by rule. */
  readonly rules: Map<string, RuleTally>;
  readonly undecided: Tally;
  /** Why scripts ended the run early. */
  readonly stopped: Reason[];
  dropped: number;
  /** Requests that got no answer at all, with when each was given up (ms since the epoch): an instant, or the bounds of one. */
  readonly failures: Outage[];
  /** Duration of every answered request of the journey, in ms. */
  readonly durations: number[];
  /** Outcomes of the journey's requests by the second they were sent in (since the epoch). */
  readonly bins: Map<number, Bin>;
  requests: number;
}

export const createRawRun = (): RawRun => ({
  files: [],
  scenarios: new Set(),
  keys: new Map(),
  rules: new Map(),
  undecided: new Map(),
  stopped: [],
  dropped: 0,
  failures: [],
  durations: [],
  bins: new Map(),
  requests: 0,
});

export const createRawKey = (label: string): RawKey => ({
  label,
  limit: { perSecond: 10, burst: 20 },
  position: 0,
  samples: [],
  malformed: new Map(),
  retries: new Map(),
  sources: new Set(),
  started: 0,
  ended: 0,
  withinMs: 0,
  judging: {},
});

/** Counts a request of a run. The preflight is no part of its timeline. */
export function countRequest(run: RawRun, { sentAt, doneAt, status }: Observation, phase: string): void {
  run.requests += 1;
  if (status === 0) run.failures.push({ from: doneAt, to: doneAt });
  else run.durations.push(doneAt - sentAt);
  if (phase === 'preflight') return;
  const second = Math.floor((status === 0 ? doneAt : sentAt) / 1000);
  entryOf(run.bins, second, () => ({ ...noRequests }))[admissionOf(status)] += 1;
}

/** The entry of a map, made where it is missing. */
export function entryOf<K, V>(map: Map<K, V>, name: K, make: () => V): V {
  const entry = map.get(name) ?? make();
  map.set(name, entry);
  return entry;
}

export const tallyOf = (run: RawRun, rule: string): RuleTally =>
  entryOf(run.rules, rule, () => ({ checked: 0, broken: 0, seen: new Map() }));

/** Counts one more occurrence of a text. */
export function count(tally: Tally, text: string, by = 1): void {
  tally.set(text, (tally.get(text) ?? 0) + by);
}
