import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import { csvRecords } from './csv-records.ts';
import { fieldsOf, type TableFormat, tableFormats, type Unit } from './table-formats.ts';

interface ForeignRun {
  /** The format's name, for people. */
  readonly format: string;
  readonly observations: readonly Observation[];
  /** The resolution of the times in the file, in ms. */
  readonly resolutionMs: number;
  /** Whether the times count from the begin of this file's run, so that no other file's times can be compared with them. */
  readonly relative: boolean;
}

type Fields = Readonly<Record<string, string>>;

const vegetaColumns = [
  'timestamp',
  'code',
  'latency',
  'bytesOut',
  'bytesIn',
  'error',
  'body',
  'attack',
  'seq',
  'method',
  'url',
];

/**
 * Reads what another load tool, a browser or a gateway wrote down.
 * @param name of the file, for messages
 * @throws ConfigurationError that names what is missing or wrong, and where
 */
export function readObservations(text: string, name: string): ForeignRun {
  const begin = text.trimStart();
  if (/[\0\ufffd]/.test(begin.slice(0, 1000)))
    throw new ConfigurationError([
      `${name}: is no text in UTF-8; give what the tool wrote as text, unpacked or as .gz`,
    ]);
  const records = /^[{[]/.test(begin) ? jsonRecords(begin, name) : table(begin);
  if (records.length === 0) throw new ConfigurationError([`${name}: has no requests; give the records of a run`]);
  // k6 writes records of other kinds in between.
  const firstRecords = records.slice(0, 200);
  const format = tableFormats.find((each) =>
    firstRecords.some(({ fields }) => fieldsOf(each).every((field) => field in fields)),
  );
  if (format === undefined)
    throw new ConfigurationError([`${name}: ${unknownFormat(Object.keys(records[0]?.fields ?? {}))}`]);
  const { only } = format;
  const requests = records.filter(({ fields }) => only === undefined || fields[only[0]] === only[1]);
  const observations = requests.map(({ fields, line }) => observationOf(fields, format, `${name}:${line}`));
  if (observations.length === 0) throw new ConfigurationError([`${name}: has no requests; give the records of a run`]);
  const [field, unit] = format.sent ?? format.done ?? ['', 1];
  if (unit === 1) assertMilliseconds(observations, name);
  return {
    format: format.name,
    observations,
    relative: unit === 1000,
    resolutionMs: resolution(
      requests.map(({ fields }) => fields[field] ?? ''),
      unit,
    ),
  };
}

interface Record_ {
  readonly fields: Fields;
  readonly line: number;
}

function table(text: string): Record_[] {
  const [head = [], ...rows] = csvRecords(text);
  // vegeta writes no header.
  const headless = /^\d{16,}$/.test(head[0] ?? '') && head.length >= vegetaColumns.length;
  const names = headless ? vegetaColumns : head.map((column) => column.trim());
  return (headless ? [head, ...rows] : rows).map((row, index) => ({
    fields: Object.fromEntries(names.map((column, i) => [column, row[i] ?? ''])),
    line: index + (headless ? 1 : 2),
  }));
}

/** One object a line, or a HAR. */
function jsonRecords(text: string, name: string): Record_[] {
  const document = attempt(() => JSON.parse(text));
  if (Array.isArray(document)) {
    return document.map((value, index) => {
      if (!isObject(value)) throw new ConfigurationError([`${name}: entry ${index + 1} is no JSON object`]);
      return { fields: texts(value), line: index + 1 };
    });
  }
  if (isObject(document) && isObject(document.log) && Array.isArray(document.log.entries))
    return document.log.entries.map(harRecord);
  if (isObject(document) && text.trimEnd().includes('\n'))
    throw new ConfigurationError([
      `${name}: is one JSON document and no log of requests; give one JSON object a line for each request`,
    ]);
  return text.split('\n').flatMap((line, index): Record_[] => {
    if (line.trim() === '') return [];
    const value = attempt(() => JSON.parse(line));
    if (!isObject(value)) throw new ConfigurationError([`${name}:${index + 1}: is no JSON object`]);
    return [{ fields: isObject(value.data) ? k6Point(value, value.data) : texts(value), line: index + 1 }];
  });
}

/** k6 nests a point's tags. What declares a metric is no point. */
const k6Point = ({ metric, type }: Record<string, unknown>, { tags, ...data }: Record<string, unknown>): Fields => ({
  ...texts(data),
  ...(isObject(tags) && texts(tags)),
  metric: type === 'Point' ? String(metric) : '',
});

function harRecord(entry: unknown, index: number): Record_ {
  const { startedDateTime, time, request, response } = isObject(entry) ? entry : {};
  const [asked, answered] = [isObject(request) ? request : {}, isObject(response) ? response : {}];
  const path = String(asked.url)
    .replace(/^[a-z]+:\/\/[^/]+/i, '')
    .replace(/\?.*/, '');
  const fields = { startedDateTime, time, 'response.status': answered.status, request: `${asked.method} ${path}` };
  return { fields: texts(fields), line: index + 1 };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const texts = (value: Record<string, unknown>): Fields =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, typeof each === 'object' ? '' : String(each)]));

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function observationOf(fields: Fields, format: TableFormat, where: string): Observation {
  const number = (field: string, unit: Unit): number => {
    const text = fields[field] ?? '';
    const value = millisecondsOf(text, unit);
    if (!Number.isFinite(value))
      throw new ConfigurationError([
        `${where}: ${field} is ${JSON.stringify(text)}, not ${unit === 'instant' ? 'a time' : 'a number'}`,
      ]);
    return value;
  };
  const { sent, done, took, operation } = format;
  const duration = took === undefined ? 0 : number(...took);
  const sentAt = sent === undefined ? number(...(done ?? ['', 1])) - duration : number(...sent);
  const doneAt = done === undefined ? sentAt + duration : number(...done);
  if (doneAt < sentAt)
    throw new ConfigurationError([`${where}: this request ends before it begins; check the columns of its times`]);
  // A record without a numeric status got no answer: JMeter writes words in this column then.
  const status = /^\s*\d{3}\s*$/.test(fields[format.status] ?? '') ? Number(fields[format.status]) : 0;
  const named = operation === undefined ? undefined : fields[operation];
  return { sentAt, doneAt, status, ...(named !== undefined && named !== '' && { operation: named }) };
}

function millisecondsOf(text: string, unit: Unit): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (unit !== 'instant') return value * unit;
  return Number.isNaN(value) ? instant(text) : value * epochUnit(value);
}

/** Milliseconds in the unit of a time since 1970, told by its size: no run was recorded in the seventies. */
const epochUnit = (value: number): number => (value >= 1e17 ? 1e-6 : value >= 1e14 ? 1e-3 : value >= 1e11 ? 1 : 1000);

/** Milliseconds since the epoch, with the fraction that Date.parse drops. */
function instant(text: string): number {
  const fraction = /\.(\d{3})(\d+)/.exec(text)?.[2] ?? '';
  return Date.parse(text) + Number(`0.${fraction || '0'}`);
}

/** The resolution is one second where every time is a whole second. */
function resolution(times: readonly string[], unit: Unit): number {
  if (typeof unit === 'number') return 1;
  return times.every((time) => millisecondsOf(time, unit) % 1000 === 0) ? 1000 : 1;
}

/** A run of 1970 is one in seconds. */
function assertMilliseconds(observations: readonly Observation[], name: string): void {
  const seconds = observations.some(({ sentAt }) => sentAt >= 1e9 && sentAt < 1e10);
  if (seconds) throw new ConfigurationError([`${name}: sentAt is in seconds since 1970; give milliseconds`]);
}

/** Names the format that fits best, and what it lacks. */
function unknownFormat(found: readonly string[]): string {
  const lacking = tableFormats
    .map((format) => ({ format, missing: fieldsOf(format).filter((field) => !found.includes(field)) }))
    .sort((a, b) => a.missing.length / fieldsOf(a.format).length - b.missing.length / fieldsOf(b.format).length)[0];
  const has = found.length > 0 ? `has the columns ${found.slice(0, 12).join(', ')}` : 'has no columns';
  if (lacking === undefined || lacking.missing.length === fieldsOf(lacking.format).length)
    return `${has}; give sentAt, doneAt and status (milliseconds), or the output of ${tableFormats
      .slice(2)
      .map(({ name }) => name)
      .join(', ')}, or a HAR`;
  return `${has}; as ${lacking.format.name} it lacks ${lacking.missing.join(', ')}`;
}
