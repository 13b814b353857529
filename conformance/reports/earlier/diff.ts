import { terminalLine } from '../../../spec/text/terminal-text.ts';
import type { Report, ReportRow } from '../report-schema.ts';

type Outcome = ReportRow['outcome'] | 'absent';

/** A law whose result is not the one of the earlier run. */
export interface Change {
  readonly id: string;
  readonly before: Outcome;
  readonly after: Outcome;
  /** What the later run says about it. */
  readonly message: string;
}

/** Two runs compared, law by law. */
export interface ReportDiff {
  /** Laws with a worse outcome than before, and failing laws that the earlier run did not have. */
  readonly worse: readonly Change[];
  /** Laws that failed before and do not fail now. */
  readonly fixed: readonly Change[];
  /** Laws whose outcome, or whose answer to an open question, changed in another way. */
  readonly changed: readonly Change[];
}

/** A failure is worst. A law that could not be judged is worse than one that was. */
const severity: Readonly<Record<Outcome, number>> = {
  fail: 3,
  error: 2,
  inconclusive: 2,
  'not-run': 2,
  warn: 1,
  observed: 0,
  pass: 0,
  'not-selected': 0,
  absent: 0,
};

const notSelected = new Set<Outcome>(['not-selected', 'absent']);

/** What changed from one report to a later one. */
export function diffReports(before: Report, after: Report): ReportDiff {
  const earlier = new Map(before.rows.map((row) => [row.id, row]));
  const later = new Map(after.rows.map((row) => [row.id, row]));
  const worse: Change[] = [];
  const fixed: Change[] = [];
  const changed: Change[] = [];
  for (const id of new Set([...earlier.keys(), ...later.keys()])) {
    const [old, now] = [earlier.get(id), later.get(id)];
    const change = {
      id,
      before: old?.outcome ?? 'absent',
      after: now?.outcome ?? 'absent',
      message: now?.message ?? '',
    } satisfies Change;
    if (change.before === change.after && !(change.after === 'observed' && old?.message !== now?.message)) continue;
    if (worsened(change)) worse.push(change);
    else if (change.before === 'fail' && !notSelected.has(change.after) && severity[change.after] < 2)
      fixed.push(change);
    else changed.push(change);
  }
  return { worse, fixed, changed };
}

/** A law that only one of the runs selected counts as worse only if it fails now. */
function worsened({ before, after }: Change): boolean {
  if (after === 'fail') return before !== 'fail';
  return !notSelected.has(before) && !notSelected.has(after) && severity[after] > severity[before];
}

/** One line per change, under three headings. */
export function diffText({ worse, fixed, changed }: ReportDiff): string {
  // The report files may come from elsewhere, so their texts may hold control characters.
  const line = ({ id, before, after, message }: Change) => terminalLine(`  ${id}: ${before} -> ${after}  ${message}`);
  const section = (title: string, changes: readonly Change[]) =>
    changes.length === 0 ? [] : [title, ...changes.map(line), ''];
  const lines = [...section('Worse', worse), ...section('Fixed', fixed), ...section('Changed', changed)];
  return lines.length === 0 ? 'No differences.\n' : lines.join('\n');
}
