import { ConfigurationError } from '../../spec/files/configuration-error.ts';

/** A value of a column, and its place for messages. */
export type Cell = { readonly text: string; readonly where: string };

/** `stepMs`: the finest step in which they were written. `relative`: they count from the begin of the run, so that no others compare. */
type Times = { readonly ms: readonly number[]; readonly stepMs: number; readonly relative: boolean };

/** Fewer values may lie in coarse steps, or be alike, by chance. */
const fewest = 8;
const month = 31 * 86_400_000;

/**
 * Reads a column of dates, or of seconds, milli-, micro- or nanoseconds since 1970, which tell themselves apart by their size; or of durations.
 * @param unit in ms: of durations, and of times that may count from the begin of the run
 * @throws ConfigurationError for what is no time, and for times that cannot be those of one run
 */
export function times(cells: readonly Cell[], field: string, unit?: number, isDuration = false): Times {
  const refused = (index: number, says: string) =>
    new ConfigurationError([`${cells[index]?.where}: ${field} is ${JSON.stringify(cells[index]?.text)}${says}`]);
  const numbers = cells.map(({ text }) => (text.trim() === '' ? Number.NaN : Number(text)));
  const isDate = !isDuration && dateOf(cells[cells.length >> 1]?.text ?? '') !== undefined;
  const since1970 = isDuration ? undefined : epochUnit(median(numbers.filter(Number.isFinite)));
  const factor = isDate ? 1000 : (since1970 ?? unit ?? Number.NaN);
  const ms = isDate ? cells.map(({ text }) => dateOf(text) ?? Number.NaN) : numbers.map((number) => number * factor);
  const wrong = ms.findIndex((one) => !Number.isFinite(one));
  const orDate = isDuration ? '' : ' or a date such as 2026-11-21T10:00:00.123Z';
  if (wrong >= 0) throw refused(wrong, `, not a ${unit === undefined ? 'time since 1970' : 'number'}${orDate}`);
  const center = median(ms);
  const stray = ms.findIndex((one) => Math.abs(one - center) > month);
  if (stray >= 0) throw refused(stray, ', more than a month from others; give one run, with all times in one unit');
  const written = Math.min(...new Set(cells.map(({ text }) => writtenStep(text, factor))));
  const isTelling = ms.length >= fewest && (!isDuration || new Set(ms).size >= fewest);
  const stepMs = Math.max(written, isTelling ? commonStep(ms) : 0);
  // The judge can allow for a second; a minute says nothing of ten requests in a second.
  if (stepMs > 1000)
    throw refused(
      0,
      `: all times are rounded to ${stepMs / 1000} s; give the file as the tool wrote it, because a spreadsheet that saves it rounds times`,
    );
  return { ms, stepMs, relative: !isDate && since1970 === undefined };
}

/** Milliseconds in the unit of a time since 1970: no run was recorded in the seventies. */
const epochUnit = (value: number): number | undefined =>
  value >= 1e17 ? 1e-6 : value >= 1e14 ? 1e-3 : value >= 1e11 ? 1 : value >= 9e8 ? 1000 : undefined;

const dateParts = /^(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))? ?(Z|[+-]\d\d:?\d\d)?$/;

/** A date with a time in ms, with the fraction that Date.parse drops; in UTC where it names no zone. */
export function dateOf(text: string): number | undefined {
  const [, year, monthOfYear, day, time, fraction = '0', zone = 'Z'] = dateParts.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  return Date.parse(`${year}-${monthOfYear}-${day}T${time}${zone}`) + Number(`0.${fraction}`) * 1000;
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
  const micros = ms.map((one) => Math.round(one * 1000));
  const steps = [60_000, 10_000, 1000, 100, 10, 1, 0.1, 0.01];
  return steps.find((step) => micros.every((one) => one % (step * 1000) === 0)) ?? 0.001;
}

/** The upper one of two in the middle; 0 of none. */
function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
