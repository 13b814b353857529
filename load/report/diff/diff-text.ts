import { terminalLine } from '../../../spec/text/terminal-text.ts';
import type { LoadReport } from '../report-schema.ts';
import { type Difference, diffRuns } from './diff-runs.ts';

/** Two runs in two columns. The last line says whether something got worse. */
export function diffText(before: LoadReport, after: LoadReport): string {
  const rows = diffRuns(before, after);
  const width = (of: (row: Difference) => string) => Math.max(...rows.map((row) => of(row).length));
  const [first, second] = [
    width(({ what }) => what),
    Math.max(
      6,
      width((row) => row.before),
    ),
  ];
  const line = (what: string, old: string, now: string) => `  ${what.padEnd(first)}  ${old.padEnd(second)}  ${now}`;
  const worse = rows.filter(({ turn }) => turn === 'worse').map(({ what }) => what);
  const lines = [
    line('', 'before', 'after'),
    ...rows.map((row) => `${line(row.what, row.before, row.after)}${row.turn === null ? '' : ` (${row.turn})`}`),
    '',
    worse.length === 0 ? 'Nothing got worse.' : `WORSE: ${worse.join(', ')}`,
    '',
  ];
  // Texts from a report file could hold control characters.
  return lines.map((text) => terminalLine(text).trimEnd()).join('\n');
}
