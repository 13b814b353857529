import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { admissionOf } from '../../spec/limiter/admission.ts';
import { requestTimeoutMs } from '../plan/request-timeout.ts';
import { count, noRequests, type RawKey, type RawRun } from './raw-run.ts';

interface Point {
  readonly metric: string;
  readonly data: { readonly time: string; readonly value: number; readonly tags: Readonly<Record<string, string>> };
}

/** The longest line in characters; k6 writes some hundred. A file without line breaks must not be held in memory whole. */
const longestLine = 1 << 20;

/** Lines that are read; k6 writes some ten more for every request, and most of the cost is in parsing. */
const prefixes = [
  '{"metric":"http_req_duration","type":"Point"',
  '{"metric":"load_',
  '{"metric":"dropped_iterations","type":"Point"',
];

/**
 * Adds k6's raw output (`--out json=FILE`) to a run, piece by piece, so that a running k6 can be followed. Exact: k6 stamps a
 * request when its answer is complete and says how long it took since its connection was ready, in nanoseconds.
 */
export function createRawReader(run: RawRun, file: string) {
  run.files.push(file);
  const secondOf = createClock();
  let rest = '';
  let number = 0;

  function line(text: string): void {
    number += 1;
    if (!prefixes.some((prefix) => text.startsWith(prefix)) || !text.includes('"type":"Point"')) return;
    let read: unknown;
    try {
      read = JSON.parse(text);
    } catch {
      // The last line of a k6 that was killed.
      return;
    }
    const point = pointOf(read) ?? refuse();
    const { value, tags } = point.data;
    const doneAt = secondOf(point.data.time);
    if (!Number.isFinite(doneAt)) refuse();
    if (point.metric === 'http_req_duration') request(doneAt, value, tags);
    else event(point.metric, value, tags);
  }

  function refuse(): never {
    throw new ConfigurationError([
      `${file}:${number}: is no raw output of k6 for a scenario of partnerkit; give what k6 wrote with --out json=FILE`,
    ]);
  }

  function request(doneAt: number, duration: number, tags: Readonly<Record<string, string>>): void {
    const status = Number(tags.status ?? 0);
    const { key, phase = '', trial } = tags;
    if (phase === '') return;
    run.requests += 1;
    // k6 says nothing of how long a request without an answer was on its way.
    const sentAt = doneAt - (status === 0 ? Math.max(duration, requestTimeoutMs) : duration);
    if (status === 0) run.failures.push({ from: doneAt, to: doneAt });
    else run.durations.push(duration);
    const second = Math.floor((status === 0 ? doneAt : sentAt) / 1000);
    const bin = run.bins.get(second) ?? { ...noRequests };
    run.bins.set(second, bin);
    bin[admissionOf(status)] += 1;
    if (key === undefined) return;
    keyOf(key).samples.push({
      sentAt,
      doneAt,
      status,
      operation: tags.operationId,
      phase,
      ...(trial !== undefined && { trial: `${file}#${trial}` }),
    });
  }

  function event(metric: string, value: number, tags: Readonly<Record<string, string>>): void {
    const { key = '', rule = '', seen = '' } = tags;
    switch (metric) {
      case 'load_key': {
        run.scenarios.add(tags.scenario_name ?? '');
        run.seconds = Math.max(run.seconds, Number(tags.seconds));
        const limit = { perSecond: Number(tags.per_second), burst: Number(tags.burst) };
        const sound = limit.perSecond > 0 && limit.burst >= 1 && Number.isFinite(limit.perSecond + limit.burst);
        if (!sound || !(Number(tags.seconds) <= longestRun) || !Number.isInteger(Number(tags.position))) refuse();
        const rawKey = keyOf(key);
        run.keys.set(key, { ...rawKey, limit, position: Number(tags.position), started: rawKey.started + 1 });
        break;
      }
      case 'load_end':
        keyOf(key).ended += 1;
        break;
      case 'load_malformed_429':
      case 'load_doubtful_429': {
        const { malformed, doubtful } = keyOf(key);
        const seenBy = metric === 'load_malformed_429' ? malformed : doubtful;
        const tally = seenBy.get(rule) ?? new Map<string, number>();
        seenBy.set(rule, tally);
        count(tally, seen);
        break;
      }
      case 'load_date': {
        const [sentAt, doneAt, date] = [Number(tags.sent), Number(tags.done), Date.parse(tags.date ?? '')];
        // A server may give any text for a date.
        if (doneAt >= sentAt && Number.isFinite(doneAt + date)) run.dates.push({ sentAt, doneAt, date });
        break;
      }
      case 'load_retry_after':
        keyOf(key).retries.set(`${file}#${tags.trial ?? ''}`, tags.text ?? '');
        break;
      case 'load_checked':
        tallyOf(rule).checked += value;
        break;
      case 'load_broken':
        // The judgement of a VU is ignored: its samples are judged again here.
        if (tags.by !== 'vu' && value > 0) {
          tallyOf(rule).broken += value;
          count(tallyOf(rule).seen, tags.operationId === undefined ? seen : `${tags.operationId}: ${seen}`);
        }
        break;
      case 'load_undecided':
        if (value > 0 && seen !== '') count(run.undecided, seen);
        break;
      case 'load_lateness':
        run.latest = Math.max(run.latest, value);
        break;
      case 'load_dropped':
      case 'dropped_iterations':
        run.dropped += value;
    }
  }

  function keyOf(label: string): RawKey {
    const existing = run.keys.get(label);
    if (existing !== undefined) {
      existing.sources.add(file);
      return existing;
    }
    const created: RawKey = {
      label,
      limit: { perSecond: 10, burst: 20 },
      position: 0,
      samples: [],
      malformed: new Map(),
      doubtful: new Map(),
      retries: new Map(),
      sources: new Set([file]),
      started: 0,
      ended: 0,
      withinMs: 0,
    };
    run.keys.set(label, created);
    return created;
  }

  function tallyOf(rule: string) {
    const tally = run.rules.get(rule) ?? { checked: 0, broken: 0, seen: new Map<string, number>() };
    run.rules.set(rule, tally);
    return tally;
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
  const { metric, data } = (read ?? {}) as { readonly metric?: unknown; readonly data?: Partial<Point['data']> | null };
  const { time, value, tags } = data ?? {};
  const texts = Object.values(tags ?? {}).every((tag) => typeof tag === 'string');
  if (typeof metric !== 'string' || typeof time !== 'string' || typeof value !== 'number' || !texts) return undefined;
  return value >= 0 && value <= longestRequest ? { metric, data: { time, value, tags: tags ?? {} } } : undefined;
}

/** Milliseconds since the epoch, with their fraction, of k6's times: RFC 3339 with nanoseconds in any zone. */
function createClock() {
  let [known, at] = ['', 0];
  return (time: string): number => {
    const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(time);
    if (parts === null) return Number.NaN;
    const second = `${parts[1]}${parts[3]}`;
    if (second !== known) [known, at] = [second, Date.parse(second)];
    return at + Number(`0${parts[2] ?? ''}`) * 1000;
  };
}
