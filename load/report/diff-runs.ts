import { capital } from '../../spec/report-page/markup.ts';
import { isRuleId } from '../../spec/rules.ts';
import { withoutControls } from '../../spec/text/terminal-text.ts';
import type { LoadReport } from './report-schema.ts';
import { burstText, doLines, openWhile, type Paint, rateText, shownKeys } from './terminal-report.ts';

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
function figuresOf({ outcome, rules, keys, traffic }: LoadReport): ReadonlyMap<string, Figure> {
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
    ...shownKeys(keys).flatMap(({ key, verdict, measured: { rate, burst }, measured }) => [
      [
        `rate of ${key}`,
        { ...by('limiter/steady-rate', verdict), text: rateText(measured), number: rate.best, unit: ' rps' },
      ] as const,
      [`burst of ${key}`, { ...by('limiter/burst', verdict), text: burstText(measured), number: burst.best }] as const,
    ]),
    ['answer time, median (not judged)', count(traffic.durationMs.p50, ' ms')],
    ['answer time, p95 (not judged)', count(traffic.durationMs.p95, ' ms')],
    ['answer time, p99 (not judged)', count(traffic.durationMs.p99, ' ms')],
    ['no usable answer', count(traffic.unanswered)],
    ['not sent in time', count(traffic.dropped)],
  ]);
}

const absent: Figure = { text: 'not judged' };

/**
 * The figures of two runs that differ, in pairs, what got worse first. A figure that only one of the runs has is neither
 * better nor worse unless it is broken now, nor are latencies and counts, which differ from run to run.
 */
export function diffRuns(before: LoadReport, after: LoadReport) {
  const [old, now] = [figuresOf(before), figuresOf(after)];
  const all = [...new Set([...old.keys(), ...now.keys()])].map((what) => {
    const [was, is] = [old.get(what) ?? absent, now.get(what) ?? absent];
    // What is broken now is worse, also where it was not judged before.
    const step = (is.rank ?? Number.NaN) - (was.rank ?? (is.rank === 2 ? 0 : Number.NaN));
    const turn = step > 0 ? ('worse' as const) : step < 0 ? ('better' as const) : null;
    // By how much a number differs, with its unit.
    const change = turn !== null && is.number === undefined ? turn : changeOf(was, is);
    const open = is === absent ? after : was === absent ? before : undefined;
    const why = (open && isRuleId(what) && openWhile(open)) || '';
    return { what, before: was.text, after: is.text, change, turn, why };
  });
  const place = ({ turn }: Difference): number => ['worse', 'better', null].indexOf(turn);
  const differing = all.filter(({ before, after }) => before !== after).sort((a, b) => place(a) - place(b));
  const turn = (['worse', 'better'] as const).find((word) => differing.some((each) => each.turn === word));
  const turned = differing.filter((each) => each.turn === turn && /\d/.test(each.change));
  // Where no figure says by how much, the verdict says what.
  const named = turned.map(({ what, change }) => `${what} ${change}`).join(', ') || after.sentence.split(/[:;]/)[0];
  const title = turn === undefined ? 'Nothing got worse' : [capital(turn), named].filter(Boolean).join(': ');
  return { differing, isWorse: turn === 'worse', title };
}

/** By how much a number differs; nothing where only one of the runs has one. */
function changeOf({ number: was }: Figure, { number: is, unit = '' }: Figure): string {
  const by = Number(Math.abs((is ?? Number.NaN) - (was ?? Number.NaN)).toFixed(2));
  if (!(by > 0)) return '';
  const sign = (is ?? 0) > (was ?? 0) ? '+' : '−';
  return `${sign}${by}${unit}${was ? ` (${sign}${Math.round((100 * by) / was)}%)` : ''}`;
}

/** Two runs in columns. The last line says whether something got worse. */
export function diffText(before: LoadReport, after: LoadReport, paint: Paint = (_, text) => text): string {
  const { differing, title, isWorse } = diffRuns(withoutControls(before), withoutControls(after));
  const rows = [{ what: '', before: 'before', after: 'after', change: '', turn: null, why: '' }, ...differing];
  const columns = (['what', 'before', 'after'] as const).map((name) => ({
    name,
    width: Math.max(...rows.map((row) => row[name].length)),
  }));
  const lines = rows.map(({ turn, change, why, ...row }) => {
    const cells = columns.map(({ name, width }) => row[name].padEnd(width));
    return `  ${[...cells, turn ? paint(turn === 'worse' ? 'red' : 'green', change) : change || why].join('  ')}`.trimEnd();
  });
  const verdict = paint([isWorse ? 'red' : 'green', 'bold'], title.replace('Worse', 'WORSE'));
  return [...lines, '', ...doLines(withoutControls(after)), verdict, ''].join('\n');
}
