import { terminalLine } from '../../spec/text/terminal-text.ts';
import type { LoadReport } from './report-schema.ts';
import { burstText, rateText, shownKeys } from './terminal-report.ts';

/** One figure of two runs. */
export interface Difference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** Null for figures of which neither value is better: latencies and counts differ from run to run. */
  readonly turn: 'better' | 'worse' | null;
}

/** A figure as text, with its rank where one value is better than another: the lower. */
type Figure = readonly [text: string, rank?: number];

const ranks: Readonly<Record<string, number>> = {
  ...{ keeps: 0, 'cannot-tell': 1, breaks: 2 },
  ...{ pass: 0, observed: 0, inconclusive: 1, fail: 2 },
};

/** The figures of a run: verdict, rules, how much of each key was admitted, latency. */
function figuresOf({ outcome, rules, keys, traffic, seconds }: LoadReport): ReadonlyMap<string, Figure> {
  const ms = (value: number | null): Figure => [value === null ? '-' : `${value} ms`];
  return new Map<string, Figure>([
    ['verdict', [outcome.replace('-', ' '), ranks[outcome]]],
    ...rules.map(({ rule, outcome }) => [rule, [outcome, ranks[outcome]]] as const),
    ...shownKeys(keys).flatMap(({ key, measured, counts }) => [
      [`${key}: rate`, [rateText(measured)]] as const,
      [`${key}: burst`, [burstText(measured)]] as const,
      [`${key}: admitted`, [`${counts.admitted}`]] as const,
      [`${key}: throttled`, [`${counts.throttled}`]] as const,
    ]),
    ['requests', [`${traffic.requests} in ${seconds} s`]],
    ['answered in, median', ms(traffic.durationMs.p50)],
    ['answered in, p95', ms(traffic.durationMs.p95)],
    ['answered in, p99', ms(traffic.durationMs.p99)],
    ['no usable answer', [`${traffic.unanswered}`]],
    ['not sent in time', [`${traffic.dropped}`]],
  ]);
}

/** The figures of two runs, in pairs. A figure that only one of the runs has is neither better nor worse. */
export function diffRuns(before: LoadReport, after: LoadReport): readonly Difference[] {
  const [old, now] = [figuresOf(before), figuresOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].map((what) => {
    const [[was, oldRank] = ['-'], [is, nowRank] = ['-']] = [old.get(what), now.get(what)] as const;
    const step = (nowRank ?? Number.NaN) - (oldRank ?? Number.NaN);
    return { what, before: was, after: is, turn: step > 0 ? 'worse' : step < 0 ? 'better' : null };
  });
}

/** Two runs in two columns. The last line says whether something got worse. */
export function diffText(before: LoadReport, after: LoadReport): string {
  const rows = diffRuns(before, after);
  const width = (of: (row: Difference) => string) => Math.max(6, ...rows.map((row) => of(row).length));
  const [first, second] = [width(({ what }) => what), width((row) => row.before)];
  const line = (what: string, old: string, now: string) => `  ${what.padEnd(first)}  ${old.padEnd(second)}  ${now}`;
  const worse = rows.filter(({ turn }) => turn === 'worse').map(({ what }) => what);
  const lines = [
    line('', 'before', 'after'),
    ...rows.map((row) => `${line(row.what, row.before, row.after)}${row.turn === null ? '' : ` (${row.turn})`}`),
    '',
    worse.length === 0 ? 'Nothing got worse.' : `WORSE: ${worse.join(', ')}`,
    '',
  ];
  // Texts from a report file could hold control characters.
  return lines.map((text) => terminalLine(text).trimEnd()).join('\n');
}
