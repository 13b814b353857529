import { writeFileSync } from 'node:fs';
import type { WantedFile } from '../../../conformance/reports/report-files.ts';
import type { LoadReport } from '../../../load/report/report-schema.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { fileProblem } from '../../../spec/files/file-problem.ts';
import { reportOption } from '../report-option.ts';

/** Files to write, by format. */
export type ReportFiles = readonly WantedFile<'html' | 'json'>[];

export const reportsOption = () => reportOption(['html', 'json']);

/** Checks, before anything is sent, that the reports can be written. */
export async function assertReports(files: ReportFiles): Promise<void> {
  const { assertWritable } = await import('../../../conformance/reports/report-files.ts');
  await assertWritable(files.map(({ path }) => path));
}

/** Writes the reports. */
export async function writeReports(report: LoadReport, files: ReportFiles): Promise<void> {
  const [{ htmlReport }, { writeAll }] = await Promise.all([
    import('../../../load/report/html-report.ts'),
    import('../../../conformance/reports/report-files.ts'),
  ]);
  await writeAll(report, files, { html: htmlReport, json: (one) => `${JSON.stringify(one, null, 2)}\n` });
}

/** Writes the reports and prints the summary. */
export async function publish(report: LoadReport, files: ReportFiles): Promise<void> {
  const { terminalReport } = await import('../../../load/report/terminal-report.ts');
  await writeReports(report, files);
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
