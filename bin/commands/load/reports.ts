import { writeFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { LoadReport } from '../../../load/report/report-schema.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { fileProblem } from '../../../spec/files/file-problem.ts';

const kinds = ['html', 'json'] as const;

/** Files to write, by kind. */
export type ReportFiles = Partial<Record<(typeof kinds)[number], string>>;

/** Reads `html=report.html,json=report.json`. */
export function reportFiles(text: string, known: ReportFiles = {}): ReportFiles {
  const files: ReportFiles = { ...known };
  for (const part of text.split(',')) {
    const [, name, file] = /^(\w+)=(.+)$/.exec(part) ?? [];
    const kind = kinds.find((each) => each === name);
    if (kind === undefined || file === undefined) {
      throw new InvalidArgumentError(`Give ${kinds.map((each) => `${each}=FILE`).join(' or ')}, separated by commas.`);
    }
    files[kind] = file;
  }
  return files;
}

/** Writes the reports and prints the summary. */
export async function publish(report: LoadReport, { html, json }: ReportFiles): Promise<void> {
  const [{ terminalReport }, { htmlReport }] = await Promise.all([
    import('../../../load/report/terminal-report.ts'),
    import('../../../load/report/html-report.ts'),
  ]);
  write(json, () => `${JSON.stringify(report, null, 2)}\n`);
  write(html, () => htmlReport(report));
  process.stdout.write(terminalReport(report));
  process.exitCode = report.exitCode;
}

/** Writes a file. @throws ConfigurationError if it cannot be written */
export function write(file: string | undefined, text: () => string): void {
  if (file === undefined) return;
  try {
    writeFileSync(file, text());
  } catch (error) {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'written')}`]);
  }
}
