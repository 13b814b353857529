import type { Profile } from '../../spec/files/profile-schema.ts';
import { terminalLine } from '../../spec/text/terminal-text.ts';
import { counted } from '../counted.ts';
import { isObject, valuesOf } from '../history/exchange.ts';
import type { Report, ReportRow } from './report-schema.ts';

type Outcome = ReportRow['outcome'] | 'absent';

/** A law whose result is not the one of the earlier run. */
export interface Change {
  readonly id: string;
  readonly before: Outcome;
  readonly after: Outcome;
  /** What the later run says about it. */
  readonly message: string;
}

/** A value of a profile that is not the one of the earlier run. */
export interface Answer {
  /** `errors.unknown-label.status` */
  readonly place: string;
  /** Undefined where the earlier run did not see it. */
  readonly before?: unknown;
  /** Undefined where the later run did not see it. */
  readonly after?: unknown;
}

/** Two runs compared, law by law, and what the deployment does where the specification is silent. */
export type Comparison = ReturnType<typeof compareRuns>;

/** An earlier or a later run: its report, or the profile that it has written, which has no laws. */
export type Run = Partial<Pick<Report, 'rows'>> & { readonly profile: Profile };

/** A failure is worst. A law that could not be judged is worse than one that was. */
const severity = (outcome: Outcome): number =>
  (({ fail: 3, error: 2, inconclusive: 2, 'not-run': 2, warn: 1 }) as Partial<Record<Outcome, number>>)[outcome] ?? 0;

/** What changed from one run to a later one. Where one of them is only a profile, the answers are compared. */
export function compareRuns(before: Run, after: Run) {
  const answers = answersChanged(before.profile, after.profile);
  const changes = {
    /** Laws with a worse outcome than before, and failing laws that the earlier run did not have. */
    worse: [] as Change[],
    /** Laws that failed before and do not fail now. */
    fixed: [] as Change[],
    /** Laws whose outcome, or whose answer to an open question, changed in another way. */
    changed: [] as Change[],
  };
  if (before.rows === undefined || after.rows === undefined) return { ...changes, answers };
  const [earlier, later] = [before.rows, after.rows].map((rows) => new Map(rows.map((row) => [row.id, row])));
  for (const id of new Set([...(earlier?.keys() ?? []), ...(later?.keys() ?? [])])) {
    const [old, now] = [earlier?.get(id), later?.get(id)];
    const change = { id, before: old?.outcome ?? 'absent', after: now?.outcome ?? 'absent' } as const;
    const isSame = change.before === change.after && (change.after !== 'observed' || answerOf(old) === answerOf(now));
    if (!isSame) changes[kindOf(change)].push({ ...change, message: now?.message ?? '' });
  }
  return { ...changes, answers };
}

const isLeftOut = (outcome: Outcome) => outcome === 'not-selected' || outcome === 'absent';

/** A law that only one of the runs selected counts as worse only if it fails now. */
function kindOf({ before, after }: Pick<Change, 'before' | 'after'>): 'worse' | 'fixed' | 'changed' {
  if (after === 'fail' && before !== 'fail') return 'worse';
  if (isLeftOut(after)) return 'changed';
  if (!isLeftOut(before) && severity(after) > severity(before)) return 'worse';
  return before === 'fail' && severity(after) < 2 ? 'fixed' : 'changed';
}

/** The parts of an answer in words, in whatever order, and without how often each was seen. */
const answerOf = (row: ReportRow | undefined) =>
  (row?.message ?? '')
    .replace(/ \(\d+ of \d+\)/g, '')
    .split(/[;,] /)
    .sort()
    .join('; ');

function answersChanged(before: Profile, after: Profile): Answer[] {
  const [old, now] = [answersOf(before), answersOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((place) => {
    const answer: Answer = { place, before: old.get(place), after: now.get(place) };
    return sorted(answer.before) === sorted(answer.after) ? [] : [answer];
  });
}

/** Lists of answers are in the order in which they were seen, which says nothing. */
const sorted = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.map(String).sort() : value);

/** Every value by its place, without `observed`, which only says when and where the profile was recorded. A list is one value. */
const answersOf = ({ observed: _, ...profile }: Profile): Map<string, unknown> =>
  new Map(
    valuesOf(profile)
      .filter(([path, value]) => !isObject(value) && path.every((part) => typeof part === 'string'))
      .map(([path, value]) => [path.join('.'), value]),
  );

/** Answers that both runs saw, and that differ. */
export const answersThatDiffer = ({ answers }: Pick<Comparison, 'answers'>): Answer[] =>
  answers.filter(({ before, after }) => before !== undefined && after !== undefined);

/** Answers of the earlier run that the later one did not see. */
export const answersUnseen = ({ answers }: Pick<Comparison, 'answers'>): Answer[] =>
  answers.filter(({ after }) => after === undefined);

/** One line per change, under headings. */
export function comparisonText(comparison: Comparison): string {
  const { worse, fixed, changed, answers } = comparison;
  const words = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const line = ({ id, before, after, message }: Change) => `${id}: ${before} -> ${after}  ${message}`;
  // The report files may come from elsewhere, so their texts may hold control characters.
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((one) => terminalLine(`  ${one}`)), ''];
  const answered = ({ place, before, after }: Answer) =>
    place + (before === undefined ? '' : ` was ${words(before)}`) + (after === undefined ? '' : ` is ${words(after)}`);
  const leftOut = changed.filter(({ after }) => isLeftOut(after));
  const lines = [
    ...section('Worse', worse.map(line)),
    ...section('Fixed', fixed.map(line)),
    ...section('Changed', changed.filter(({ after }) => !isLeftOut(after)).map(line)),
    ...section('Not selected this time', leftOut.length > 0 ? [counted(leftOut.length, 'law')] : []),
    ...section('Answers that changed', answersThatDiffer(comparison).map(answered)),
    ...section('Answers not seen this time', answersUnseen(comparison).map(answered)),
    ...section('Answers not seen before', answers.filter(({ before }) => before === undefined).map(answered)),
  ];
  return lines.length === 0 ? 'No differences.\n' : lines.join('\n');
}
