import type { ReportRow } from './report-schema.ts';

/** What did not run, grouped by what is missing, those that would bring back most checks first. */
export function missingFields(rows: readonly ReportRow[]): readonly (readonly [why: string, ids: readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { id, message, outcome } of rows) {
    if (outcome === 'not-run') groups.set(message, [...(groups.get(message) ?? []), id]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}
