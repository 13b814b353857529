import { writeFileSync } from 'node:fs';
import type { WantedFile } from '../../../conformance/reports/report-files.ts';
import type { LoadReport } from '../../../load/report/report-schema.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { fileProblem } from '../../../spec/files/file-problem.ts';
import { publish } from '../../output/publish.ts';
import { reportOption } from '../report-option.ts';

/** Files to write, by format. */
export type ReportFiles = readonly WantedFile<'html' | 'json'>[];

export const reportsOption = () => reportOption(['html', 'json']);

const formats = async () => {
  const { htmlReport } = await import('../../../load/report/html-report.ts');
  return { html: htmlReport, json: (report: LoadReport) => `${JSON.stringify(report, null, 2)}\n` };
};

/** Writes the reports of a run whose verdict is an error. */
export async function writeReports(report: LoadReport, files: ReportFiles): Promise<void> {
  const { writeAll } = await import('../../../conformance/reports/report-files.ts');
  await writeAll(report, files, await formats());
}

/** Prints the summary and writes the reports. */
export async function publishLoad(
  report: LoadReport,
  files: ReportFiles,
  more: readonly (string | undefined)[] = [],
): Promise<void> {
  const { terminalReport } = await import('../../../load/report/terminal-report.ts');
  await publish(report, { text: terminalReport(report), files, formats: await formats(), more });
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
