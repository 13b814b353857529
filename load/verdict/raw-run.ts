import type { EnvelopeOptions } from '../../spec/limiter/envelope.ts';
import { type Admission, admissionOf, type Observation } from '../../spec/limiter/observation.ts';

/** Why a verdict is as it is: a code for programs, a text for people. */
export interface Reason {
  /** For example `too-lax` or `key-refused`, or the id of a broken rule. */
  readonly code: string;
  readonly text: string;
}

/** A request that counts for its key, with what it was for: preflight, steady, volley, ask or retry. */
interface RawSample extends Observation {
  readonly phase: string;
  /** Of `ask` and `retry`: which belong together, over all files. */
  readonly trial?: string;
}

/** How often each text was seen. */
type Tally = Map<string, number>;

/** Requests by what their replies say about the limiter. */
export const noRequests: Readonly<Record<Admission, number>> = { admitted: 0, throttled: 0, refused: 0, unknown: 0 };

/** When a request was given up (ms since the epoch): the bounds of an instant. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** All that one or several recordings say of a run. */
export const createRawRun = () => ({
  files: [] as string[],
  scenarios: new Set<string>(),
  keys: new Map<string, RawKey>(),
  /** What flows checked, by rule. */
  rules: new Map<string, { checked: number; broken: number; readonly seen: Tally }>(),
  undecided: new Map() as Tally,
  /** Why scripts ended the run early. */
  stopped: [] as Reason[],
  dropped: 0,
  /** Every request, by the clock of the machine that sent it. */
  requests: [] as RawSample[],
  /** How many of them were admitted, throttled, and so on: for those who follow the run. */
  counts: { ...noRequests },
  /** How far the clocks of the machines may be from one common clock, in ms. */
  skewMs: 0,
});

export type RawRun = ReturnType<typeof createRawRun>;

export const createRawKey = (label: string) => ({
  label,
  limit: { perSecond: 10, burst: 20 },
  /** Among the keys of the scenario; the first of a pair is the overloaded one. */
  position: 0,
  samples: [] as RawSample[],
  /** Rule -> what was seen instead. */
  malformed: new Map<string, Tally>(),
  /** The Retry-After that was waited for, by the trial of its samples. */
  retries: new Map<string, string>(),
  /** Files that it was driven in, more than one when several machines drove it. */
  sources: new Set<string>(),
  /** How often driving it began and came to its end: fewer ends mean a run that was cut short. */
  started: 0,
  ended: 0,
  /** How far the times of its samples, all alike, may be from those of other keys, in ms: 0 where one machine drove all. */
  withinMs: 0,
  /** What else its samples are judged by. */
  judging: {} as Pick<EnvelopeOptions, 'skewMs' | 'startedFull'>,
});

export type RawKey = ReturnType<typeof createRawKey>;

/** Adds a request to a run. */
export function addRequest(run: RawRun, sample: RawSample): void {
  run.requests.push(sample);
  run.counts[admissionOf(sample.status)] += 1;
}

/** When requests got no answer at all. */
export const outagesOf = ({ requests, skewMs }: RawRun): readonly Outage[] =>
  requests.filter(({ status }) => status === 0).map(({ doneAt }) => ({ from: doneAt - skewMs, to: doneAt + skewMs }));

/** The entry of a map, made where it is missing. */
export function entryOf<K, V>(map: Map<K, V>, name: K, make: () => V): V {
  const entry = map.get(name) ?? make();
  map.set(name, entry);
  return entry;
}

/** Counts one more occurrence of a text. */
export const count = (tally: Tally, text: string): void => void tally.set(text, (tally.get(text) ?? 0) + 1);

/**
 * Allows for the clocks of several machines. A key that one machine drove keeps its sharp times; what several machines did with one
 * key is known less well, and so its intervals are wider.
 * @param skewMs how far each clock may be from one common clock. Default: more than any that is set by NTP
 */
export function allowSkew(run: RawRun, skewMs = 2000): void {
  if (run.files.length < 2) return;
  for (const key of run.keys.values()) {
    if (key.sources.size > 1) key.samples = widened(key.samples, skewMs);
    else key.withinMs = skewMs;
  }
  run.skewMs = skewMs;
}

/** The same requests by a clock that is known to `withinMs` only. */
export const widened = <S extends { readonly sentAt: number; readonly doneAt: number }>(
  samples: S[],
  withinMs: number,
): S[] =>
  withinMs === 0
    ? samples
    : samples.map((sample) => ({ ...sample, sentAt: sample.sentAt - withinMs, doneAt: sample.doneAt + withinMs }));
