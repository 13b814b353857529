import { counted } from '../counted.ts';
import type { Report, ReportRow } from './report-schema.ts';

/** The laws that did not run, grouped by what is missing, the largest group first. */
export function missingFields(rows: readonly ReportRow[]): readonly (readonly [why: string, ids: readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { id, message, outcome } of rows) {
    if (outcome === 'not-run') groups.set(message, [...(groups.get(message) ?? []), id]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

/** The terminal shows this many lines; HTML and Markdown show the whole list. */
const maxLines = 10;

/** `3 laws, 1 script`: what a field of the target file would add. */
export const gainWords = ({ laws, scripts }: Report['gains'][number]): string =>
  [
    ...(laws.length > 0 ? [counted(laws.length, 'law')] : []),
    ...(scripts > 0 ? [counted(scripts, 'script')] : []),
  ].join(', ');

/** The fields that the target file lacks, most useful first, then the laws that no such field would bring back. */
export function missingLines({ rows, gains }: Pick<Report, 'rows' | 'gains'>): string[] {
  const regained = new Set(gains.flatMap(({ laws }) => laws));
  const others = rows.filter(({ id, outcome }) => outcome === 'not-run' && !regained.has(id));
  const lines = [
    ...gains.filter(({ laws }) => laws.length > 0).map((gain) => `${gain.field}: would add ${gainWords(gain)}`),
    ...missingFields(others).map(([why, ids]) => `${ids.join(', ')}: ${why}`),
  ];
  return lines.length <= maxLines
    ? lines
    : [...lines.slice(0, maxLines - 1), `and ${lines.length - maxLines + 1} more, see --report html=FILE`];
}

/** What a thin target file hides although every law was judged: fields that would only add scripts. */
export const thinLines = ({ gains }: Pick<Report, 'gains'>): string[] =>
  gains.filter(({ laws }) => laws.length === 0).map((gain) => `${gain.field}: ${gainWords(gain)}`);

/** Laws of documented must rules that were left out, by the option that selects them: `a/b, a/c (--slow)`. */
export function leftOutWords(rows: readonly ReportRow[]): string {
  const needs = 'it needs ';
  const left = rows.filter(
    ({ outcome, message, rule }) =>
      outcome === 'not-selected' &&
      rule.level === 'must' &&
      rule.provenance === 'documented' &&
      message.startsWith(needs),
  );
  return [...Map.groupBy(left, ({ message }) => message.slice(needs.length))]
    .map(([option, needing]) => `${needing.map(({ id }) => id).join(', ')} (${option})`)
    .join('; ');
}
