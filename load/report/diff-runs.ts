import { terminalLine } from '../../spec/text/terminal-text.ts';
import type { LoadReport } from './report-schema.ts';
import { burstText, rateText, shownKeys } from './terminal-report.ts';

/** One figure of two runs. */
export interface Difference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** `worse`, `better`, or by how much a number differs. */
  readonly change: string;
  /** Null for figures of which neither value is better: latencies and counts differ from run to run. */
  readonly turn: 'better' | 'worse' | null;
}

/** A figure as text; its rank where one value is better than another, the lower; else its number, where it has one. */
type Figure = { readonly text: string; readonly rank?: number | undefined; readonly number?: number | undefined };

const ranks: Readonly<Record<string, number>> = {
  ...{ keeps: 0, 'cannot-tell': 1, breaks: 2 },
  ...{ pass: 0, observed: 0, inconclusive: 1, fail: 2 },
};

/** The figures of a run: verdict, rules, how much of each key was admitted, latency. */
function figuresOf({ outcome, rules, keys, traffic, seconds }: LoadReport): ReadonlyMap<string, Figure> {
  const ranked = (text: string): Figure => ({ text: text.replace('-', ' '), rank: ranks[text] });
  const count = (number: number): Figure => ({ text: `${number}`, number });
  const ms = (value: number | null): Figure =>
    value === null ? { text: '-' } : { text: `${value} ms`, number: value };
  return new Map<string, Figure>([
    ['verdict', ranked(outcome)],
    ...rules.map(({ rule, outcome }) => [rule, ranked(outcome)] as const),
    ...shownKeys(keys).flatMap(({ key, measured, counts }) => [
      [`${key}: rate`, { text: rateText(measured), number: measured.rate.best }] as const,
      [`${key}: burst`, { text: burstText(measured), number: measured.burst.best }] as const,
      [`${key}: admitted`, count(counts.admitted)] as const,
      [`${key}: throttled`, count(counts.throttled)] as const,
    ]),
    ['requests', count(traffic.requests)],
    ['seconds', count(seconds)],
    ['answered in, median', ms(traffic.durationMs.p50)],
    ['answered in, p95', ms(traffic.durationMs.p95)],
    ['answered in, p99', ms(traffic.durationMs.p99)],
    ['no usable answer', count(traffic.unanswered)],
    ['not sent in time', count(traffic.dropped)],
  ]);
}

/** The figures of two runs, in pairs; what got worse comes first, what is the same last. A figure that only one of the runs has is neither better nor worse. */
export function diffRuns(before: LoadReport, after: LoadReport): readonly Difference[] {
  const [old, now] = [figuresOf(before), figuresOf(after)];
  const absent: Figure = { text: 'not judged' };
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((what): Difference => {
      const [was, is] = [old.get(what) ?? absent, now.get(what) ?? absent];
      const step = (is.rank ?? Number.NaN) - (was.rank ?? Number.NaN);
      const turn = step > 0 ? 'worse' : step < 0 ? 'better' : null;
      return { what, before: was.text, after: is.text, change: turn ?? changeOf(was.number, is.number), turn };
    })
    .sort((a, b) => placeOf(a) - placeOf(b));
}

const placeOf = ({ turn, before, after }: Difference): number =>
  turn === 'worse' ? 0 : turn === 'better' ? 1 : before === after ? 3 : 2;

function changeOf(was: number | undefined, is: number | undefined): string {
  if (was === undefined || is === undefined || was === is) return '';
  const sign = is > was ? '+' : '−';
  const part = was === 0 ? '' : ` (${sign}${Math.round((100 * Math.abs(is - was)) / was)}%)`;
  return `${sign}${Number(Math.abs(is - was).toFixed(2))}${part}`;
}

/** Two runs in columns. The last line says whether something got worse. */
export function diffText(before: LoadReport, after: LoadReport): string {
  const rows = diffRuns(before, after);
  const cells = [['', 'before', 'after', ''], ...rows.map((row) => [row.what, row.before, row.after, row.change])];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const worse = rows.filter(({ turn }) => turn === 'worse').map(({ what }) => what);
  const lines = [
    ...cells.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`),
    '',
    worse.length === 0 ? 'Nothing got worse.' : `WORSE: ${worse.join(', ')}`,
    '',
  ];
  // Texts from a report file could hold control characters.
  return lines.map((text) => terminalLine(text).trimEnd()).join('\n');
}
