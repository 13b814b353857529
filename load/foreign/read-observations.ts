import { CsvError, type Info, parse } from 'csv-parse/sync';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { type Fields, fieldsOf, type TableFormat, tableFormats } from './table-formats.ts';
import { type Cell, times } from './times.ts';

/** A request, and the line of the file in which it begins. */
interface Row {
  readonly fields: Fields;
  readonly line: number;
}

/** What to give instead of a summary, an access log in its usual form, or columns that are not known. */
const whatToGive = `give a record for each request, as load/foreign/logging.md shows: columns sentAt, doneAt and status (milliseconds), or what these write: ${tableFormats
  .slice(2)
  .map(({ name }) => name)
  .join(', ')}`;

/**
 * Reads what another load tool, a browser or a gateway wrote down.
 * @param name of the file, for messages
 * @returns the format's name, for people; the finest step of the times, in ms; whether they count from the begin of this file's run
 * @throws ConfigurationError that names what is missing or wrong, and where
 */
export function readObservations(text: string, name: string) {
  const refused = (says: string) => new ConfigurationError([`${name}: ${says}`]);
  const begin = text.trimStart();
  if (begin.slice(0, 1000).includes('\0'))
    throw refused(
      'is no text in UTF-8; give what the tool wrote as text (of vegeta: what "vegeta encode" makes of it)',
    );
  const rows = /^[{[]/.test(begin) ? jsonRows(begin, name) : csvRows(begin, name);
  const first = rows.slice(0, 200);
  // k6 writes records of other kinds in between.
  const format = tableFormats.find((each) =>
    first.some(({ fields }) => fieldsOf(each).every((field) => field in fields)),
  );
  if (rows[0] !== undefined && format === undefined) throw refused(unknownFormat(rows[0].fields));
  const requests = rows.filter(({ fields }) => format?.isRequest?.(fields) ?? true);
  if (format === undefined || requests.length === 0) throw refused(`has no requests; ${whatToGive}`);
  return { ...observationsOf(requests, format, name), format: format.name };
}

/** Names the first format of which the file has some of the columns, and what it lacks; else all formats. */
function unknownFormat(fields: Fields): string {
  const lacked = (format: TableFormat) => fieldsOf(format).filter((field) => !(field in fields));
  const likely = tableFormats.find((format) => lacked(format).length === 1);
  const has = `has the columns ${Object.keys(fields).slice(0, 12).join(', ')}`;
  if (likely !== undefined) return `${has}; as ${likely.name} it lacks ${lacked(likely)}`;
  return `${has}; ${whatToGive}`;
}

const vegetaColumns = 'timestamp code latency bytesOut bytesIn error body attack seq method url'.split(' ');

/**
 * Rows of delimited values (RFC 4180). The delimiter is the one that the first line has most of.
 * @throws ConfigurationError for a quote that is not closed, which would swallow all that follows
 */
function csvRows(text: string, name: string): readonly Row[] {
  const [firstLine = ''] = text.split('\n', 1);
  const cells = (delimiter: string) => firstLine.split(delimiter);
  const delimiter = [',', ';', '\t', '|'].reduce((most, one) => (cells(one).length > cells(most).length ? one : most));
  const head = cells(delimiter);
  // vegeta writes no header.
  const columns = Number(head[0]) > 1e17 && head.length >= vegetaColumns.length ? vegetaColumns : true;
  const skipped = { skip_empty_lines: true, skip_records_with_empty_values: true };
  try {
    return parse<{ record: Fields; info: Info }>(text, {
      ...{ columns, delimiter, info: true, trim: true, relax_quotes: true, relax_column_count: true, ...skipped },
    }).map(({ record, info }) => {
      const breaks = Object.values(record).join('').split('\n').length - 1;
      return { fields: record, line: info.lines - breaks };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ConfigurationError([`${name}:${error.lines}: a quote of this row is not closed; close or remove it`]);
  }
}

/** One object a line, an array of them, or a HAR. */
function jsonRows(text: string, name: string): readonly Row[] {
  const document = jsonOrUndefined(text);
  const entries = Object(Object(document).log).entries;
  if (Array.isArray(entries)) return entries.map((entry, index) => ({ fields: harFields(entry), line: index + 1 }));
  const values = Array.isArray(document)
    ? document
    : text.split('\n').map((line) => line.trim() && jsonOrUndefined(line));
  if (isObject(document) && text.trimEnd().includes('\n'))
    throw new ConfigurationError([`${name}: is one JSON document; ${whatToGive}`]);
  return values.flatMap((value, index): Row[] => {
    if (value === '') return [];
    if (!isObject(value)) throw new ConfigurationError([`${name}:${index + 1}: is no JSON object`]);
    return [{ fields: isObject(value.data) ? k6Fields(value, value.data) : texts(value), line: index + 1 }];
  });
}

/** k6 nests a point's tags. What declares a metric is no point. */
const k6Fields = ({ metric, type }: Record<string, unknown>, { tags, ...data }: Record<string, unknown>): Fields => ({
  ...texts(data),
  ...(isObject(tags) && texts(tags)),
  metric: type === 'Point' ? String(metric) : '',
});

function harFields(entry: unknown): Fields {
  const { startedDateTime, time, request, response, _fromCache: cached } = Object(entry);
  const { method, url } = Object(request);
  const path = String(url)
    .replace(/^https?:\/\/[^/]+\/?/i, '/')
    .replace(/\?.*/, '');
  const fields = { startedDateTime, time, 'response.status': Object(response).status, request: `${method} ${path}` };
  return texts({ ...fields, ...(cached !== undefined && { cached }) });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const texts = (value: Record<string, unknown>): Fields =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, typeof each === 'object' ? '' : String(each)]));

const hour = 3_600_000;

function observationsOf(requests: readonly Row[], format: TableFormat, name: string) {
  const refused = (line: number | undefined, says: string) => new ConfigurationError([`${name}:${line}: ${says}`]);
  const cells = (field: string) =>
    requests.map(({ fields, line }): Cell => {
      const text = fields[field];
      if (text === undefined) throw refused(line, `has no ${field}; remove a line that is cut short`);
      return { text, where: `${name}:${line}` };
    });
  const { sent, done, took, status = 'status', operation = '' } = format;
  const starts = sent && times(cells(sent[0]), ...sent);
  const ends = done && times(cells(done[0]), ...done);
  const lengths = took && times(cells(took[0]), ...took, true);
  const stepMs = Math.max(...[starts, ends, lengths].map((one) => one?.stepMs ?? 0));
  const statuses = cells(status).map((cell) => statusOf(cell, status));
  const observations = requests.map(({ fields, line }, i): Observation => {
    const length = lengths?.ms[i] ?? 0;
    const sentAt = starts?.ms[i] ?? (ends?.ms[i] ?? 0) - length;
    const doneAt = ends?.ms[i] ?? sentAt + length;
    const seconds = Math.round((doneAt - sentAt) / 1000);
    const wrong = doneAt < sentAt - stepMs ? 'ends before it begins' : doneAt - sentAt > hour && `takes ${seconds} s`;
    if (wrong) throw refused(line, `this request ${wrong}; check the columns of its times and their units`);
    const named = fields[operation];
    return { sentAt, doneAt: Math.max(sentAt, doneAt), status: statuses[i] ?? 0, ...(named && { operation: named }) };
  });
  return { observations, stepMs, relative: (starts ?? ends)?.relative ?? false };
}

/** 0 where no answer came: tools leave the status out then, or write a dash, a zero, or (JMeter) an exception. */
function statusOf({ text, where }: Cell, field: string): number {
  const status = /^(?:HTTP\/[\d.]+ )?([1-5]\d\d)(?:\.0+)?(?: .*)?$/i.exec(text.trim())?.[1];
  if (status !== undefined) return Number(status);
  if (/^(|-|-1|0+|null|none|nan|non http response code.*)$/i.test(text.trim())) return 0;
  throw new ConfigurationError([
    `${where}: ${field} is ${JSON.stringify(text)}, no HTTP status; give its number, or 0 where no answer came`,
  ]);
}
