import { capital } from '../../spec/report-page/markup.ts';
import { terminalLine, withoutControls } from '../../spec/text/terminal-text.ts';
import { wrapped } from '../../spec/text/wrapped.ts';
import type { LoadReport } from './report-schema.ts';
import { bucketOf, isMuch, ruleRows } from './rule-rows.ts';
import { doLines, headings, line, type Paint, paragraphs, shownKeys } from './terminal-report.ts';

/** What one run says of a rule, a key or the traffic. `rank`: where one outcome is better than another, the lower. */
export type Figure = Partial<Pick<Row, 'reason'>> & {
  readonly outcome?: string;
  readonly rank?: number | undefined;
} & {
  readonly figure?: Partial<NonNullable<Row['figure']>> | undefined;
};
type Row = ReturnType<typeof ruleRows>[number];

/** One figure of two runs. */
export type Difference = ReturnType<typeof diffRuns>['differing'][number];

const ranks: Readonly<Record<string, number>> = {
  ...{ keeps: 0, 'cannot-tell': 1, breaks: 2 },
  ...{ pass: 0, observed: 0, inconclusive: 1, fail: 2 },
};

/** The figures of a run: its rules with what was measured of each, how much of each of several keys was admitted, latency. */
function figuresOf(report: LoadReport): ReadonlyMap<string, Figure> {
  const { keys, traffic } = report;
  const count = (number: number | null, unit = ''): Figure => ({
    figure: number === null ? {} : { value: String(number), unit, best: number },
  });
  return new Map<string, Figure>([
    ...ruleRows(report).map((row) => [row.rule, { ...row, rank: ranks[row.outcome] }] as const),
    ...(keys.length > 1 ? shownKeys(keys) : []).flatMap((key) =>
      bucketOf(key).map((one) => [`${one.name} of ${key.key}`, { figure: one, rank: one.isOff ? 2 : 0 }] as const),
    ),
    ['answer time, median (not judged)', count(traffic.durationMs.p50, ' ms')],
    ['answer time, p95 (not judged)', count(traffic.durationMs.p95, ' ms')],
    ['answer time, p99 (not judged)', count(traffic.durationMs.p99, ' ms')],
    ['no usable answer', count(traffic.unanswered)],
    ['not sent in time', count(traffic.dropped)],
  ]);
}

const absent: Figure = { outcome: 'not judged' };

/** Of what is broken in both runs, what is further from the limit is worse; what is broken now is worse, also where it was not judged before. */
function turnOf(was: Figure, is: Figure): 'worse' | 'better' | null {
  const step = (is.rank ?? Number.NaN) - (was.rank ?? (is.rank === 2 ? 0 : Number.NaN));
  const further = Math.abs(is.figure?.off ?? 0) - Math.abs(was.figure?.off ?? 0);
  const by = step === 0 && is.rank === 2 && isMuch(further) ? further : step;
  return by > 0 ? 'worse' : by < 0 ? 'better' : null;
}

/**
 * The figures of two runs that differ or are broken, in pairs, what got worse first. A figure that only one of the runs has is neither
 * better nor worse unless it is broken now, nor are latencies and counts, which differ from run to run.
 */
export function diffRuns(before: LoadReport, after: LoadReport) {
  const [old, now] = [figuresOf(before), figuresOf(after)];
  const all = [...new Set([...old.keys(), ...now.keys()])].map((what) => {
    const [was, is] = [old.get(what) ?? absent, now.get(what) ?? absent];
    const still = was.rank === is.rank && ['', 'still open', 'still broken'][is.rank ?? 0];
    const said = { change: changeOf(was, is), note: still || is.reason || (was.reason ? `before: ${was.reason}` : '') };
    return { what, was, is, turn: turnOf(was, is), allowed: (is.figure ?? was.figure)?.allowed, ...said };
  });
  const shown = all.filter(({ was, is }) => textOf(was) !== textOf(is) || (is.rank ?? 0) > 0);
  const differing = (['worse', 'better', null] as const).flatMap((turn) => shown.filter((one) => one.turn === turn));
  const turns = [turnOf({ rank: ranks[before.outcome] }, { rank: ranks[after.outcome] }), differing[0]?.turn];
  const turn = (['worse', 'better'] as const).find((word) => turns.includes(word));
  const said = `${before.outcome === after.outcome ? 'still' : 'now'} ${headings[after.outcome].says}`;
  const isRight = turn === undefined && after.outcome === 'keeps';
  return {
    differing,
    isWorse: turn === 'worse',
    /** How a page and a terminal colour it. */
    tone: turn === 'worse' ? ('breaks' as const) : after.outcome,
    title: isRight ? 'Nothing got worse' : capital([turn, said].filter(Boolean).join(': ')),
  };
}

/** What was measured; a dash where nothing was. */
export const measuredText = ({ figure }: Figure): string =>
  figure === undefined ? '' : figure.value === undefined ? '-' : `${figure.value}${figure.unit}`;

const textOf = (one: Figure): string => [one.outcome, measuredText(one)].filter(Boolean).join(' ');

/** By how much a number differs; nothing where only one of the runs has one. */
function changeOf({ figure: { best: was } = {} }: Figure, { figure: { best: is, unit } = {} }: Figure): string {
  const by = Number(Math.abs((is ?? Number.NaN) - (was ?? Number.NaN)).toFixed(2));
  if (!(by > 0)) return '';
  const sign = (is ?? 0) > (was ?? 0) ? '+' : '−';
  return `${sign}${by}${unit}${was ? ` (${sign}${Math.round((100 * by) / was)}%)` : ''}`;
}

/** What both runs said, and what differs, in columns. The last line says whether something got worse. @param files of the reports */
export function diffText(
  before: LoadReport,
  after: LoadReport,
  files: readonly [string, string],
  paint: Paint = (_, text) => text,
): string {
  const runs = withoutControls([before, after] as const);
  const { differing, title, tone } = diffRuns(...runs);
  const values = differing.map(({ was, is }) => [textOf(was), textOf(is)] as const);
  const columns = (cells: readonly [string, string], said: string) => {
    const padded = cells.map((cell, i) => cell.padEnd(Math.max(6, ...values.map((row) => row[i]?.length ?? 0))));
    const start = [' '.repeat(15), ...padded, ''].join('  ');
    return `${start}${wrapped(said, ' '.repeat(start.length), paint)}`.trimEnd();
  };
  const lines = differing.flatMap(({ what, was, is, turn, allowed, change, note }) => [
    line(turn ?? '', `${what}${allowed ? `, allowed ${allowed}` : ''}`, paint, turn === 'worse' ? 'red' : 'green'),
    columns([textOf(was), textOf(is)], [change, note].filter(Boolean).join(', ')),
  ]);
  const head = lines.length === 0 ? [] : [paint('dim', columns(['before', 'after'], 'change'))];
  const said = (name: string, file: string, { sentence }: LoadReport) =>
    line(name, `${terminalLine(file)}: ${sentence}`, paint);
  return paragraphs([
    [said('before', files[0], runs[0]), said('after', files[1], runs[1])],
    [...head, ...lines],
    doLines(runs[1], paint),
    [paint([headings[tone].colour, 'bold'], title)],
  ]);
}
