import { ConfigurationError } from '../../spec/files/configuration-error.ts';

/** A value of a column, and its place for messages. */
export interface Cell {
  readonly text: string;
  readonly where: string;
}

/** The times of a column in ms, and the finest step in which they were written. */
export interface Times {
  readonly ms: readonly number[];
  readonly stepMs: number;
  /** Whether they count from the begin of the run, so that no other file's times can be compared with them. */
  readonly relative: boolean;
}

/** Fewer values may lie in coarse steps, or be alike, by chance. */
const fewest = 8;
const month = 31 * 86_400_000;

/**
 * Reads dates, or seconds, milli-, micro- or nanoseconds since 1970, which tell themselves apart by their size.
 * @param relativeUnit what one unit is in ms where times may count from the begin of the run
 * @throws ConfigurationError for what is no time, and for times that cannot be those of one run
 */
export function instants(cells: readonly Cell[], field: string, relativeUnit?: number): Times {
  const middle = cells[cells.length >> 1]?.text ?? '';
  const since1970 = median(cells.map(({ text }) => Number(text)));
  const unit = date(middle) !== undefined ? undefined : (epochUnit(since1970) ?? relativeUnit);
  const ms = cells.map(({ text, where }) => {
    const value = unit === undefined ? date(text) : text.trim() === '' ? Number.NaN : Number(text) * unit;
    if (value !== undefined && Number.isFinite(value)) return value;
    const wanted = unit === undefined ? 'a date such as 2026-11-21T10:00:00.123Z, or a time since 1970' : 'a number';
    throw problem(where, `${field} is ${JSON.stringify(text)}, not ${wanted}`);
  });
  const center = median(ms);
  const stray = ms.findIndex((one) => Math.abs(one - center) > month);
  if (stray >= 0)
    throw problem(
      cells[stray]?.where,
      `${field} is ${JSON.stringify(cells[stray]?.text)}, more than a month away from others; give one run, with all times in one unit`,
    );
  const written = Math.min(...distinct(cells.map(({ text }) => writtenStep(text, unit ?? 1000))));
  const stepMs = Math.max(written, ms.length < fewest ? 0 : commonStep(ms));
  // Half a second more or less is what the judge can still allow for; a minute says nothing of ten requests in a second.
  if (stepMs > 1000)
    throw problem(
      cells[0]?.where,
      `${field} is ${JSON.stringify(cells[0]?.text)}: all times are rounded to ${stepMs / 1000} s; ${asWritten}`,
    );
  return { ms, stepMs, relative: unit === relativeUnit && unit !== undefined };
}

/**
 * Reads durations of round trips.
 * @throws ConfigurationError for what is no number, and for durations that no request has
 */
export function durations(cells: readonly Cell[], field: string, unit: number): Omit<Times, 'relative'> {
  const ms = cells.map(({ text, where }) => {
    const value = text.trim() === '' ? Number.NaN : Number(text) * unit;
    if (!Number.isFinite(value)) throw problem(where, `${field} is ${JSON.stringify(text)}, not a number`);
    return value;
  });
  const written = Math.min(...distinct(cells.map(({ text }) => writtenStep(text, unit))));
  const several = new Set(ms).size > 3;
  return { ms, stepMs: Math.max(written, several && ms.length >= fewest ? commonStep(ms.filter(Boolean)) : 0) };
}

export const asWritten = 'give the file as the tool wrote it: a spreadsheet that saves it rounds and rewrites times';

const problem = (where: string | undefined, says: string) => new ConfigurationError([`${where}: ${says}`]);

/** Milliseconds in the unit of a time since 1970: no run was recorded in the seventies. */
const epochUnit = (value: number): number | undefined =>
  value >= 1e17 ? 1e-6 : value >= 1e14 ? 1e-3 : value >= 1e11 ? 1 : value >= 9e8 ? 1000 : undefined;

const dateParts = /^(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))? ?(Z|[+-]\d\d:?\d\d)?$/;
/** As access logs have it. */
const clfParts = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})$/;

/** A date with a time in ms, with the fraction that Date.parse drops; in UTC where it names no zone. */
function date(text: string): number | undefined {
  const [, year, monthOfYear, day, time, fraction = '0', zone = 'Z'] = dateParts.exec(text.trim()) ?? [];
  if (year !== undefined)
    return Date.parse(`${year}-${monthOfYear}-${day}T${time}${zone}`) + Number(`0.${fraction}`) * 1000;
  const clf = clfParts.exec(text.trim());
  return clf === null ? undefined : Date.parse(clf.slice(1).join(' '));
}

/** The step in which a value was written, by its digits. */
function writtenStep(text: string, unit: number): number {
  if (/\d:\d/.test(text) && !/:\d\d:\d/.test(text)) return 60_000;
  const [, decimals = '', exponent = '0'] =
    /(?:[.,](\d+))?(?:e([+-]?\d+))?(?:Z| ?[+-]\d\d:?\d\d)?$/i.exec(text.trim()) ?? [];
  return Math.max(0.001, unit * 10 ** (Number(exponent) - decimals.length));
}

/** The largest step that all times are multiples of. */
function commonStep(ms: readonly number[]): number {
  const micros = distinct(ms.map((one) => Math.round(one * 1000)));
  const steps = [60_000, 10_000, 1000, 100, 10, 1, 0.1, 0.01];
  return steps.find((step) => micros.every((one) => one % (step * 1000) === 0)) ?? 0.001;
}

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
