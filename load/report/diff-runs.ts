import { terminalLine } from '../../spec/text/terminal-text.ts';
import type { LoadReport } from './report-schema.ts';
import { burstText, rateText, shownKeys } from './terminal-report.ts';

/** One figure of two runs. */
export type Difference = ReturnType<typeof diffRuns>['differing'][number];

/** A figure as text; its rank where one value is better than another, the lower; else its number and unit, where it has them. */
type Figure = {
  readonly text: string;
  readonly rank?: number | undefined;
  readonly number?: number | undefined;
  readonly unit?: string;
};

const ranks: Readonly<Record<string, number>> = {
  ...{ keeps: 0, 'cannot-tell': 1, breaks: 2 },
  ...{ pass: 0, observed: 0, inconclusive: 1, fail: 2 },
};

/** The figures of a run: verdict, rules, how much of each key was admitted, latency. */
function figuresOf({ outcome, rules, keys, traffic, seconds }: LoadReport): ReadonlyMap<string, Figure> {
  /** A figure of a key is as good as the rule about it. */
  const by = (id: string, verdict: string) => ({
    rank: verdict === 'pass' ? 0 : ranks[rules.find(({ rule }) => rule === id)?.outcome ?? ''],
  });
  const ranked = (text: string): Figure => ({ text: text.replace('-', ' '), rank: ranks[text] });
  const count = (number: number | null, unit = ''): Figure =>
    number === null ? { text: '-' } : { text: `${number}${unit}`, number, unit };
  return new Map<string, Figure>([
    ['verdict', ranked(outcome)],
    ...rules.map(({ rule, outcome }) => [rule, ranked(outcome)] as const),
    ...shownKeys(keys).flatMap(({ key, verdict, measured: { rate, burst }, measured, counts }) => [
      [
        `${key}: rate`,
        { ...by('limiter/steady-rate', verdict), text: rateText(measured), number: rate.best, unit: ' rps' },
      ] as const,
      [`${key}: burst`, { ...by('limiter/burst', verdict), text: burstText(measured), number: burst.best }] as const,
      [`${key}: admitted`, count(counts.admitted)] as const,
      [`${key}: throttled`, count(counts.throttled)] as const,
    ]),
    ['requests', count(traffic.requests)],
    ['length', count(seconds, ' s')],
    ['answer time, median', count(traffic.durationMs.p50, ' ms')],
    ['answer time, p95', count(traffic.durationMs.p95, ' ms')],
    ['answer time, p99', count(traffic.durationMs.p99, ' ms')],
    ['no usable answer', count(traffic.unanswered)],
    ['not sent in time', count(traffic.dropped)],
  ]);
}

/**
 * The figures of two runs that differ, in pairs, what got worse first, and the others. A figure that only one of the runs has is neither
 * better nor worse, nor are latencies and counts, which differ from run to run.
 */
export function diffRuns(before: LoadReport, after: LoadReport) {
  const [old, now] = [figuresOf(before), figuresOf(after)];
  const absent: Figure = { text: 'not judged' };
  const all = [...new Set([...old.keys(), ...now.keys()])].map((what) => {
    const [was, is] = [old.get(what) ?? absent, now.get(what) ?? absent];
    const step = (is.rank ?? Number.NaN) - (was.rank ?? Number.NaN);
    const turn = step > 0 ? ('worse' as const) : step < 0 ? ('better' as const) : null;
    // By how much a number differs, with its unit.
    const change = changeOf(was, is) || (turn ?? '');
    return { what, before: was.text, after: is.text, change, turn };
  });
  const place = ({ turn }: Difference): number => ['worse', 'better', null].indexOf(turn);
  const differing = all.filter(({ before, after }) => before !== after).sort((a, b) => place(a) - place(b));
  const same = all.filter(({ before, after }) => before === after).map(({ what, after }) => `${what} ${after}`);
  return { differing, same };
}

function changeOf({ number: was }: Figure, { number: is, unit = '' }: Figure): string {
  if (was === undefined || is === undefined) return '';
  if (was === is) return 'same';
  const sign = is > was ? '+' : '−';
  const part = was === 0 ? '' : ` (${sign}${Math.round((100 * Math.abs(is - was)) / was)}%)`;
  return `${sign}${Number(Math.abs(is - was).toFixed(2))}${unit}${part}`;
}

/** Two runs in columns. The last line says whether something got worse. */
export function diffText(before: LoadReport, after: LoadReport): string {
  const { differing, same } = diffRuns(before, after);
  const cells = [['', 'before', 'after', ''], ...differing.map((row) => [row.what, row.before, row.after, row.change])];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const worse = differing.filter(({ turn }) => turn === 'worse').map(({ what }) => what);
  const lines = [
    ...cells.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`),
    '',
    `The same in both: ${same.join('; ') || 'nothing'}`,
    worse.length === 0 ? 'Nothing got worse.' : `WORSE: ${worse.join(', ')}`,
    '',
  ];
  // Texts from a report file could hold control characters.
  return lines.map((text) => terminalLine(text).trimEnd()).join('\n');
}
