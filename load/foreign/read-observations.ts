import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { accessLog, accessLogSettings } from './access-log.ts';
import { csvRows } from './csv-rows.ts';
import { assertRequestsShown } from './jmeter.ts';
import { summaryIn } from './summaries.ts';
import { fieldsOf, type TableFormat, tableFormats } from './table-formats.ts';
import { type Cell, median, times } from './times.ts';

interface ForeignRun {
  /** The format's name, for people. */
  readonly format: string;
  readonly observations: readonly Observation[];
  /** The finest step of the times in the file, in ms. */
  readonly stepMs: number;
  /** Whether the times count from the begin of this file's run, so that no other file's times can be compared with them. */
  readonly relative: boolean;
  /** Records that are no requests, such as JMeter's transactions. */
  readonly leftOut: number;
}

type Fields = Readonly<Record<string, string>>;

const vegetaColumns = 'timestamp code latency bytesOut bytesIn error body attack seq method url'.split(' ');

/**
 * Reads what another load tool, a browser or a gateway wrote down.
 * @param name of the file, for messages
 * @throws ConfigurationError that names what is missing or wrong, and where
 */
export function readObservations(text: string, name: string): ForeignRun {
  const begin = text.trimStart();
  if (begin.slice(0, 1000).includes('\0'))
    throw new ConfigurationError([
      `${name}: is no text; give what the tool wrote as text (of vegeta: what "vegeta encode" makes of it), unpacked or as .gz`,
    ]);
  const summary = summaryIn(begin);
  if (summary !== undefined) throw new ConfigurationError([`${name}: ${summary}`]);
  // An access log may begin with [21/Nov/2026:10:00:00 +0000].
  const records = /^(\{|\[(?!\d\d))/.test(begin) ? jsonRecords(begin, name) : table(text, name);
  const none = new ConfigurationError([`${name}: has no requests; give the records of a run`]);
  if (records.length === 0) throw none;
  const format = formatOf(records);
  if (format === undefined)
    throw new ConfigurationError([`${name}: ${unknownFormat(Object.keys(records[0]?.fields ?? {}))}`]);
  const { only, not } = format;
  const ofKind = records.filter(({ fields }) => only === undefined || fields[only[0]] === only[1]);
  const requests = ofKind.filter(({ fields }) => !not?.(fields));
  if (format.name === 'JMeter JTL') assertRequestsShown(records, name);
  if (requests.length === 0) throw none;
  return { ...observationsOf(requests, format, name), format: format.name, leftOut: ofKind.length - requests.length };
}

interface Record_ {
  readonly fields: Fields;
  readonly line: number;
}

/** k6 writes records of other kinds in between. */
const formatOf = (records: readonly Record_[]): TableFormat | undefined => {
  const first = records.slice(0, 200);
  return tableFormats.find((each) => first.some(({ fields }) => fieldsOf(each).every((field) => field in fields)));
};

/** Names of columns are the same in any case, with spaces or underscores. */
const bare = (column: string) => column.toLowerCase().replace(/[\s_]/g, '');

function table(text: string, name: string): readonly Record_[] {
  const { rows, delimiter } = csvRows(text, name);
  // A spreadsheet writes a decimal comma where its delimiter is another.
  const plain = (cell: string) => (delimiter === ',' ? cell : cell.replace(/^(-?\d+),(\d+(?:E[+-]?\d+)?)$/i, '$1.$2'));
  const head = rows[0]?.cells.map((cell) => plain(cell.trim())) ?? [];
  const isHeadless = head[0] !== '' && Number.isFinite(Number(head[0]));
  // vegeta writes no header.
  const isVegeta = isHeadless && Number(head[0]) > 1e17 && head.length >= vegetaColumns.length;
  const bareHead = head.map(bare);
  const spelt = tableFormats.find((each) => fieldsOf(each).every((field) => bareHead.includes(bare(field))));
  const known = spelt === undefined ? [] : [...fieldsOf(spelt), spelt.operation ?? ''];
  const names = isVegeta ? vegetaColumns : head.map((one) => known.find((field) => bare(field) === bare(one)) ?? one);
  const records = rows.slice(isVegeta ? 0 : 1).map(({ cells, line }): Record_ => {
    const named = names.slice(0, cells.length).map((column, i) => [column, plain(cells[i] ?? '')]);
    return { fields: Object.fromEntries(named), line };
  });
  if (rows.length === 0 || formatOf(records) !== undefined) return records;
  const lines = accessLog(text);
  if (lines === undefined && !isHeadless) return records;
  if (lines !== undefined && formatOf(lines) !== undefined) return lines;
  throw new ConfigurationError([
    `${name}:${rows[0]?.line}: ${lines === undefined ? noHeader : `is an access log without the time in ms, the duration or the status of each request; ${accessLogSettings}`}`,
  ]);
}

const noHeader =
  'does not name its columns; give their names in the first line (of JMeter: -Jjmeter.save.saveservice.print_field_names=true)';

/** One object a line, or a HAR. */
function jsonRecords(text: string, name: string): Record_[] {
  const document = jsonOrUndefined(text);
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
    const value = jsonOrUndefined(line);
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
  const { startedDateTime, time, request, response, _fromCache: cached } = isObject(entry) ? entry : {};
  const [asked, answered] = [isObject(request) ? request : {}, isObject(response) ? response : {}];
  const path = String(asked.url)
    .replace(/^https?:\/\/[^/]+\/?/i, '/')
    .replace(/\?.*/, '');
  const fields = { startedDateTime, time, 'response.status': answered.status, request: `${asked.method} ${path}` };
  return { fields: texts({ ...fields, ...(cached !== undefined && { cached }) }), line: index + 1 };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const texts = (value: Record<string, unknown>): Fields =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, typeof each === 'object' ? '' : String(each)]));

const hour = 3_600_000;

/** The quickest round trip that there is, in ms: what is quicker was written in seconds. */
const quickest = 0.02;

function observationsOf(requests: readonly Record_[], format: TableFormat, name: string) {
  const refused = (line: number, says: string) => new ConfigurationError([`${name}:${line}: ${says}`]);
  const cells = (field: string) =>
    requests.map(({ fields, line }): Cell => {
      const text = fields[field];
      if (text === undefined) throw refused(line, `has no ${field}; remove a line that is cut short`);
      return { text, where: `${name}:${line}` };
    });
  const { sent, done, took, status = 'status', operation } = format;
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
    const named = operation === undefined ? undefined : fields[operation];
    return { sentAt, doneAt: Math.max(sentAt, doneAt), status: statuses[i] ?? 0, ...(named && { operation: named }) };
  });
  const trip = median(observations.map(({ sentAt, doneAt }) => doneAt - sentAt).filter((ms) => ms > 0));
  if (trip > 0 && trip < quickest)
    throw refused(
      requests[0]?.line ?? 1,
      `half of the requests take less than ${trip.toPrecision(1)} ms, and none can; check the units of their times`,
    );
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
      .join(', ')}`;
  return `${has}; as ${lacking.format.name} it lacks ${lacking.missing.join(', ')}`;
}
