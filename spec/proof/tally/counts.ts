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
type Counts = Readonly<Record<'tests' | 'failed' | keyof Tally, number>>;

interface HardeningReport {
  /** By file, in the order of their names. */
  readonly files: Readonly<Record<string, Counts>>;
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

/** The sums by file and of all; null where no test counted anything. */
export function countsOf(tests: readonly Counted[]): HardeningReport | null {
  const files = new Map<string, Counts>();
  for (const { file, failed, tally } of tests) {
    if (tally === undefined) continue;
    const { inputs, faults = 0, lost = 0 } = tally;
    const own = { tests: 1, failed: Number(failed), inputs, faults, lost };
    files.set(file, sum(files.get(file) ?? none, own));
  }
  if (files.size === 0) return null;
  const rows = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return { files: Object.fromEntries(rows), total: rows.reduce((all, [, counts]) => sum(all, counts), none) };
}

const columns = ['tests', 'failed', 'inputs', 'faults', 'lost'] as const;
const cells = (counts: Counts) => columns.map((column) => counts[column].toLocaleString('en'));
const rowsOf = ({ files, total }: HardeningReport) => [
  ...Object.entries(files).map(([file, counts]) => [file, ...cells(counts)]),
  ['all', ...cells(total)],
];

/** What `npm test` prints at its end. */
export function countsTable(report: HardeningReport): string {
  const table = [['hardening', ...columns], ...rowsOf(report)];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart((widths[i] ?? 0) + 3))).join(''),
  );
  const { inputs, faults, lost, failed } = report.total;
  const what = `${inputs.toLocaleString('en')} inputs tried, ${faults.toLocaleString('en')} faults caused`;
  const verdict = lost + failed === 0 ? 'nothing lost' : `${lost} LOST, ${failed} tests failed`;
  return `\n${lines.join('\n')}\n\n${what}: ${verdict}\n`;
}

/** The same for the summary of a CI step. */
export function countsMarkdown(report: HardeningReport): string {
  const rows = rowsOf(report).map((row) => `| ${row.join(' | ')} |`);
  return `\n### Hardening\n\n| file | ${columns.join(' | ')} |\n|---|${columns.map(() => '--:|').join('')}\n${rows.join('\n')}\n`;
}
