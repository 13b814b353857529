import type { Tally } from './tally.ts';

/** What a test leaves behind for the report. */
interface Counted {
  /** Path of its file, from the root. */
  readonly file: string;
  readonly failed: boolean;
  /** Undefined for tests that are not about hardening. */
  readonly tally: Tally | undefined;
}

/** `inputs` tried, `faults` survived, what was `lost`; `tests` that counted, and how many of them `failed`. */
export type Counts = Readonly<Record<'tests' | 'failed' | keyof Tally, number>>;

/** The counts of a file and their date, because long forms do not run every day. */
export type Row = Counts & { readonly on: string };

export interface HardeningReport {
  /** By file, in the order of their names. */
  readonly files: Readonly<Record<string, Row>>;
  readonly total: Counts;
}

const none: Counts = { tests: 0, failed: 0, inputs: 0, faults: 0, lost: 0 };

const sum = (a: Counts, b: Counts): Counts => ({
  tests: a.tests + b.tests,
  failed: a.failed + b.failed,
  inputs: a.inputs + b.inputs,
  faults: a.faults + b.faults,
  lost: a.lost + b.lost,
});

/** The sums by file, without tests that counted nothing. */
export function countsOf(tests: readonly Counted[]): Record<string, Counts> {
  const files: Record<string, Counts> = {};
  for (const { file, failed, tally } of tests) {
    if (tally === undefined) continue;
    const { inputs, faults = 0, lost = 0 } = tally;
    files[file] = sum(files[file] ?? none, { tests: 1, failed: Number(failed), inputs, faults, lost });
  }
  return files;
}

/** Rows in the order of their names, and the sum of all. */
export function reportOf(rows: Readonly<Record<string, Row>>): HardeningReport {
  const files = Object.fromEntries(Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { files, total: Object.values(files).reduce<Counts>(sum, none) };
}

const columns = ['tests', 'failed', 'inputs', 'faults', 'lost'] as const;
const cells = (counts: Counts) => columns.map((column) => counts[column].toLocaleString('en'));
const rowsOf = ({ files, total }: HardeningReport) => [
  ...Object.entries(files).map(([file, row]) => [file, ...cells(row), row.on]),
  ['all', ...cells(total), ''],
];

/** What `npm test`, `npm run test:proof` and the long forms print at their end. */
export function countsTable(report: HardeningReport): string {
  const table = [['hardening', ...columns, 'on'], ...rowsOf(report)];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart((widths[i] ?? 0) + 3)))
      .join('')
      .trimEnd(),
  );
  const { inputs, faults, lost, failed } = report.total;
  const what = `${inputs.toLocaleString('en')} inputs tried, ${faults.toLocaleString('en')} faults caused`;
  const verdict = lost + failed === 0 ? 'nothing lost' : `${lost} LOST, ${failed} tests failed`;
  return `\n${lines.join('\n')}\n\n${what}: ${verdict}\n`;
}

/** The same for the summary of a CI step. */
export function countsMarkdown(report: HardeningReport): string {
  const rows = rowsOf(report).map((row) => `| ${row.join(' | ')} |`);
  return `\n### Hardening\n\n| file | ${columns.join(' | ')} | on |\n|---|${columns.map(() => '--:|').join('')}---|\n${rows.join('\n')}\n`;
}
