import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { EnvelopeOptions } from '../../spec/limiter/envelope.ts';
import type { Admission, Observation } from '../../spec/limiter/observation.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { dateOf } from '../foreign/times.ts';
import { requestTimeoutMs } from '../run-file.ts';

/** Why a verdict is as it is: a code for programs (`too-lax`, `key-refused`, or the id of a broken rule), a text for people. */
export interface Reason {
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

/** When requests got no answer at all. */
export const outagesOf = ({ requests, skewMs }: RawRun): readonly Outage[] =>
  requests.filter(({ status }) => status === 0).map(({ doneAt }) => ({ from: doneAt - skewMs, to: doneAt + skewMs }));

/** The entry of a map, made where it is missing. */
export function entryOf<K, V>(map: Map<K, V>, name: K, make: () => V): V {
  const entry = map.get(name) ?? make();
  map.set(name, entry);
  return entry;
}

const count = (tally: Tally, text: string): void => void tally.set(text, (tally.get(text) ?? 0) + 1);

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
export const widened = <S extends Observation>(samples: S[], withinMs: number): S[] =>
  withinMs === 0
    ? samples
    : samples.map((sample) => ({ ...sample, sentAt: sample.sentAt - withinMs, doneAt: sample.doneAt + withinMs }));

/** The longest line in characters; k6 writes some hundred. A file without line breaks must not be held in memory whole. */
const longestLine = 1 << 20;

/** Lines that are read; k6 writes some ten more for every request, and most of the cost is in parsing. */
const isRead = /^\{"metric":"(?:http_req_duration|load_\w*|dropped_iterations)","type":"Point"/;

/** Whether the beginning of a file is k6's raw output of one of our scenarios. */
export const isRaw = (begin: string): boolean => begin.includes('"metric":"load_');

/**
 * Adds k6's raw output (`--out json=FILE`) to a run, piece by piece, so that a running k6 can be followed. Exact: k6 stamps a
 * request when its answer is complete and says how long it took since its connection was ready, in nanoseconds.
 */
export function createRawReader(run: RawRun, file: string) {
  run.files.push(file);
  let rest = '';
  let number = 0;

  function line(text: string): void {
    number += 1;
    if (!isRead.test(text)) return;
    const point = jsonOrUndefined(text);
    // The last line of a k6 that was killed.
    if (point === undefined) return;
    const { metric, data } = Object(point);
    const { time, value, tags } = Object(data);
    const texts = [time, ...Object.values(Object(tags))].every((one) => typeof one === 'string');
    const doneAt = (texts && dateOf(time)) || Number.NaN;
    if (!Number.isFinite(doneAt) || !Number.isFinite(value) || value < 0 || value > longestRequest) refuse();
    if (metric === 'http_req_duration') request(doneAt, value, tags ?? {});
    else event(metric, value, tags ?? {});
  }

  function refuse(): never {
    throw new ConfigurationError([
      `${file}:${number}: is no raw output of k6 for a scenario of partnerkit; give what k6 wrote with --out json=FILE`,
    ]);
  }

  function request(doneAt: number, duration: number, tags: Readonly<Record<string, string>>): void {
    const { key, phase = '', trial, operationId: operation } = tags;
    if (phase === '') return;
    const status = Number(tags.status ?? 0);
    const sample = {
      // k6 says nothing of how long a request without an answer was on its way.
      sentAt: doneAt - (status === 0 ? Math.max(duration, requestTimeoutMs) : duration),
      doneAt,
      status,
      phase,
      ...(operation !== undefined && { operation }),
      ...(trial !== undefined && { trial: `${file}#${trial}` }),
    };
    run.requests.push(sample);
    if (key !== undefined) keyOf(key).samples.push(sample);
  }

  function event(metric: string, value: number, tags: Readonly<Record<string, string>>): void {
    const { key = '', rule = '', seen = '', text = '', code = '' } = tags;
    if (metric === 'load_key') began(keyOf(key), tags);
    else if (metric === 'load_end') keyOf(key).ended += 1;
    else if (metric === 'load_malformed_429') count(entryOf(keyOf(key).malformed, rule, newTally), seen);
    else if (metric === 'load_retry_after') keyOf(key).retries.set(`${file}#${tags.trial ?? ''}`, text);
    else if (metric === 'load_undecided') count(run.undecided, seen);
    else if (metric === 'load_stopped') run.stopped.push({ code, text });
    else if (metric === 'load_dropped' || metric === 'dropped_iterations') run.dropped += value;
    else if (metric === 'load_check') {
      const tally = entryOf(run.rules, rule, () => ({ checked: 0, broken: 0, seen: newTally() }));
      tally.checked += 1;
      if (seen === '') return;
      tally.broken += 1;
      count(tally.seen, seen);
    }
  }

  function began(key: RawKey, { scenario_name = '', per_second, burst, position }: Record<string, string>) {
    run.scenarios.add(scenario_name);
    key.limit = { perSecond: Number(per_second), burst: Number(burst) };
    key.position = Number(position);
    key.started += 1;
    const isSound = key.limit.perSecond > 0 && key.limit.burst >= 1 && Number.isInteger(key.position);
    if (!isSound || !Number.isFinite(key.limit.perSecond + key.limit.burst)) refuse();
  }

  function keyOf(label: string): RawKey {
    const key = entryOf(run.keys, label, () => createRawKey(label));
    key.sources.add(file);
    return key;
  }

  return {
    push(piece: string): void {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) line(text);
      if (rest.length <= longestLine) return;
      number += 1;
      refuse();
    },
    end(): void {
      if (rest !== '') line(rest);
      rest = '';
    },
  };
}

const newTally = (): Tally => new Map();

/** Milliseconds: no request takes a day. */
const longestRequest = 86_400_000;
