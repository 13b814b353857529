import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { requestTimeoutMs } from '../run-file.ts';
import { addRequest, count, createRawKey, entryOf, type RawKey, type RawRun } from './raw-run.ts';

type Tags = Readonly<Record<string, string>>;

type Point = { readonly metric: string; readonly time: string; readonly value: number; readonly tags: Tags };

/** The longest line in characters; k6 writes some hundred. A file without line breaks must not be held in memory whole. */
const longestLine = 1 << 20;

/** Lines that are read; k6 writes some ten more for every request, and most of the cost is in parsing. */
const prefixes = [
  '{"metric":"http_req_duration","type":"Point"',
  '{"metric":"load_',
  '{"metric":"dropped_iterations","type":"Point"',
];

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
    if (!prefixes.some((prefix) => text.startsWith(prefix)) || !text.includes('"type":"Point"')) return;
    const read = jsonOrUndefined(text);
    // The last line of a k6 that was killed.
    if (read === undefined) return;
    const { metric, time, value, tags } = pointOf(read) ?? refuse();
    const doneAt = timeOf(time);
    if (!Number.isFinite(doneAt)) refuse();
    if (metric === 'http_req_duration') request(doneAt, value, tags);
    else event(metric, value, tags);
  }

  function refuse(): never {
    throw new ConfigurationError([
      `${file}:${number}: is no raw output of k6 for a scenario of partnerkit; give what k6 wrote with --out json=FILE`,
    ]);
  }

  function request(
    doneAt: number,
    duration: number,
    { status: text, key, phase = '', trial, operationId }: Tags,
  ): void {
    if (phase === '') return;
    const status = Number(text ?? 0);
    // k6 says nothing of how long a request without an answer was on its way.
    const sentAt = doneAt - (status === 0 ? Math.max(duration, requestTimeoutMs) : duration);
    const own = {
      ...(operationId !== undefined && { operation: operationId }),
      ...(trial !== undefined && { trial: `${file}#${trial}` }),
    };
    const sample = { sentAt, doneAt, status, phase, ...own };
    addRequest(run, sample);
    if (key !== undefined) keyOf(key).samples.push(sample);
  }

  function event(metric: string, value: number, tags: Tags): void {
    const { key = '', rule = '', seen = '', text = '', code = '' } = tags;
    switch (metric) {
      case 'load_key': {
        run.scenarios.add(tags.scenario_name ?? '');
        const limit = { perSecond: Number(tags.per_second), burst: Number(tags.burst) };
        const isSound = limit.perSecond > 0 && limit.burst >= 1 && Number.isFinite(limit.perSecond + limit.burst);
        if (!isSound || !(Number(tags.seconds) <= longestRun) || !Number.isInteger(Number(tags.position))) refuse();
        const rawKey = keyOf(key);
        run.keys.set(key, { ...rawKey, limit, position: Number(tags.position), started: rawKey.started + 1 });
        break;
      }
      case 'load_end':
        keyOf(key).ended += 1;
        break;
      case 'load_malformed_429':
        count(
          entryOf(keyOf(key).malformed, rule, () => new Map()),
          seen,
        );
        break;
      case 'load_retry_after':
        keyOf(key).retries.set(`${file}#${tags.trial ?? ''}`, text);
        break;
      case 'load_check': {
        const tally = entryOf(run.rules, rule, () => ({ checked: 0, broken: 0, seen: new Map() }));
        tally.checked += 1;
        if (seen !== '') tally.broken += 1;
        if (seen !== '') count(tally.seen, seen);
        break;
      }
      case 'load_undecided':
        count(run.undecided, seen);
        break;
      case 'load_stopped':
        run.stopped.push({ code, text });
        break;
      case 'load_dropped':
      case 'dropped_iterations':
        run.dropped += value;
    }
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
      if (rest.length > longestLine) {
        number += 1;
        refuse();
      }
    },
    end(): void {
      if (rest !== '') line(rest);
      rest = '';
    },
  };
}

/** Seconds: a year. */
const longestRun = 366 * 86_400;
/** Milliseconds: no request takes a day. */
const longestRequest = 86_400_000;

/** The point that a line holds, where it is one that k6 could have written. */
function pointOf(read: unknown): Point | undefined {
  const { metric, data } = Object(read);
  const { time, value, tags } = Object(data);
  const texts = [metric, time, ...Object.values(Object(tags))].every((one) => typeof one === 'string');
  return texts && Number.isFinite(value) && value >= 0 && value <= longestRequest
    ? { metric, time, value, tags: tags ?? {} }
    : undefined;
}

/** Milliseconds since the epoch, with the fraction that Date.parse drops, of k6's times: RFC 3339 with nanoseconds. */
function timeOf(time: string): number {
  const [, second, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  return Date.parse(`${second}${zone}`) + Number(`0${fraction}`) * 1000;
}
