import { InvalidArgumentError, Option } from 'commander';
import type { ReportFile } from '../../../conformance/reports/report-files.ts';

/** The names of all formats; a test compares them with what the runner can write, which is loaded only for a run. */
export const reportFormats = ['html', 'junit', 'ctrf', 'markdown', 'json'] as const satisfies ReportFile['format'][];

/** `--report html=report.html,junit=junit.xml`, repeatable. */
export const reportOption = () =>
  new Option('--report <format=file>', `write reports: ${reportFormats.join(', ')}; repeatable, or with commas`)
    .default([], 'none')
    .argParser((value: string, before: readonly ReportFile[]) => [...before, ...value.split(',').map(reportFile)]);

function reportFile(text: string): ReportFile {
  const [name = '', ...rest] = text.split('=');
  const path = rest.join('=').trim();
  const format = reportFormats.find((known) => known === name.trim());
  if (format === undefined) {
    throw new InvalidArgumentError(`There is no report format "${name}"; use ${reportFormats.join(', ')}.`);
  }
  if (path === '') throw new InvalidArgumentError(`Give a file for ${format}, such as ${format}=report.${format}.`);
  return { format, path };
}
