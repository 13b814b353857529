import { writeFileSync } from 'node:fs';
import { type WantedFile, writeAll } from '../../../conformance/reports/report-files.ts';
import { htmlReport } from '../../../load/report/html-report.ts';
import type { LoadReport } from '../../../load/report/report-schema.ts';
import { terminalReport } from '../../../load/report/terminal-report.ts';
import { ConfigurationError, fileProblem } from '../../../spec/files/configuration-error.ts';
import { publish } from '../../output/publish.ts';
import { reportOption } from '../report-option.ts';

/** Files to write, by format. */
export type ReportFiles = readonly WantedFile<'html' | 'json'>[];

export const reportsOption = () => reportOption(['html', 'json']);

const formats = { html: htmlReport, json: (report: LoadReport) => `${JSON.stringify(report, null, 2)}\n` };

/** Writes the reports of a run whose verdict is an error. */
export const writeReports = (report: LoadReport, files: ReportFiles) => writeAll(report, files, formats);

/** Prints the summary and writes the reports. */
export const publishLoad = (report: LoadReport, files: ReportFiles, more: readonly (string | undefined)[] = []) =>
  publish(report, { text: terminalReport(report), files, formats, more });

/** Writes a file. @throws ConfigurationError if it cannot be written */
export function write(file: string | undefined, text: () => string): void {
  if (file === undefined) return;
  try {
    writeFileSync(file, text());
  } catch (error) {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'written')}`]);
  }
}
