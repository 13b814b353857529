import { terminalLine } from '../../../spec/text/terminal-text.ts';
import type { Report, ReportRow } from '../report-schema.ts';

type Outcome = ReportRow['outcome'] | 'absent';

interface Change {
  readonly id: string;
  readonly before: Outcome;
  readonly after: Outcome;
  /** What the later run says about it. */
  readonly message: string;
}

/** Two runs compared, law by law. */
interface ReportDiff {
  /** Judged well before, and worse now; or failing without having been there before. */
  readonly worse: readonly Change[];
  /** Failing before, and not any more. */
  readonly fixed: readonly Change[];
  /** Another outcome, or another answer to an open question, that is neither. */
  readonly changed: readonly Change[];
}

/** A failure is worst; what could not be judged is worse than what was. */
const badness: Readonly<Record<Outcome, number>> = {
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

const unasked = new Set<Outcome>(['not-selected', 'absent']);

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
    else if (change.before === 'fail' && !unasked.has(change.after) && badness[change.after] < 2) fixed.push(change);
    else changed.push(change);
  }
  return { worse, fixed, changed };
}

/** What was not asked in one of the two runs is no worse, unless it fails now. */
function worsened({ before, after }: Change): boolean {
  if (after === 'fail') return before !== 'fail';
  return !unasked.has(before) && !unasked.has(after) && badness[after] > badness[before];
}

/** One line per change under three headings. */
export function diffText({ worse, fixed, changed }: ReportDiff): string {
  // A report file may come from anywhere.
  const line = ({ id, before, after, message }: Change) => terminalLine(`  ${id}: ${before} -> ${after}  ${message}`);
  const section = (title: string, changes: readonly Change[]) =>
    changes.length === 0 ? [] : [title, ...changes.map(line), ''];
  const lines = [...section('Worse', worse), ...section('Fixed', fixed), ...section('Changed', changed)];
  return lines.length === 0 ? 'No differences.\n' : lines.join('\n');
}
