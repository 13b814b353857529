import { counted } from '../counted.ts';
import type { Report, ReportRow } from './report-schema.ts';

/** What did not run, grouped by what is missing, those that would bring back most checks first. */
export function missingFields(rows: readonly ReportRow[]): readonly (readonly [why: string, ids: readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { id, message, outcome } of rows) {
    if (outcome === 'not-run') groups.set(message, [...(groups.get(message) ?? []), id]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

/** Lines about what the target file lacks; the whole list is for pages. */
const maxLines = 10;

/** What would bring back most of what did not run, most useful first, and what nothing in a target file brings back. */
export function missingLines({ rows, gains }: Pick<Report, 'rows' | 'gains'>): string[] {
  const promised = new Set(gains.flatMap(({ laws }) => laws));
  const others = rows.filter(({ id, outcome }) => outcome === 'not-run' && !promised.has(id));
  const lines = [
    ...gains.map(({ field, laws, situations }) => {
      const what = [
        ...(laws.length > 0 ? [counted(laws.length, 'law')] : []),
        ...(situations > 0 ? [counted(situations, 'situation')] : []),
      ];
      return `${field}: would add ${what.join(', ')}`;
    }),
    ...missingFields(others).map(([why, ids]) => `${ids.join(', ')}: ${why}`),
  ];
  return lines.length <= maxLines
    ? lines
    : [...lines.slice(0, maxLines - 1), `and ${lines.length - maxLines + 1} more, which reports name`];
}

/** Must rules that were left out, with what was needed: `a/b, a/c (need --slow)`. */
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
    .map(([option, those]) => `${those.map(({ id }) => id).join(', ')} (${option})`)
    .join('; ');
}
