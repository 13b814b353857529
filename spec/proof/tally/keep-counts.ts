import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Counts, type HardeningReport, type Row, reportOf } from './counts.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Writes what was counted to `.cache/hardening.json`, or to the file that HARDENING_REPORT names. Rows of other files stay as they were
 * counted last, so that tests, proofs and long forms share one table; a row goes with its file.
 * @returns the whole table
 */
export function keepCounts(counts: Readonly<Record<string, Counts>>): HardeningReport {
  const file = process.env.HARDENING_REPORT ?? join(root, '.cache/hardening.json');
  const on = new Date().toISOString().slice(0, 10);
  const rows = Object.entries(counts).map(([name, row]) => [name, { ...row, on }]);
  const report = reportOf({ ...rowsOf(file), ...Object.fromEntries(rows) });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

/** Rows that an earlier run has left, of files that are still there. A file that cannot be read has none. */
function rowsOf(file: string): Record<string, Row> {
  try {
    const { files }: HardeningReport = JSON.parse(readFileSync(file, 'utf8'));
    return Object.fromEntries(Object.entries(files).filter(([name, { on }]) => on && existsSync(join(root, name))));
  } catch {
    return {};
  }
}
