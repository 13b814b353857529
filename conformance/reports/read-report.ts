import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { readJsonReport } from '../../spec/files/read-file.ts';
import { type Report, type ReportRow, reportSchema } from './report-schema.ts';

/**
 * Reads the JSON report of an earlier run.
 * @throws ConfigurationError when the file cannot be read or is not a JSON report
 */
export const readReport = (file: string): Report => readJsonReport(file, reportSchema);

const unsettled: readonly ReportRow['outcome'][] = ['fail', 'error', 'inconclusive'];

/**
 * The ids of the laws that failed or could not be judged in an earlier run.
 * @param file the JSON report of that run
 * @throws ConfigurationError when the file cannot be read, or when no law is left: a run that selects nothing must not look like a success
 */
export function failedIn(file: string): readonly string[] {
  const ids = readReport(file).rows.flatMap(({ id, outcome }) => (unsettled.includes(outcome) ? [id] : []));
  if (ids.length > 0) return ids;
  throw new ConfigurationError([
    `${file}: nothing failed in that run and nothing was inconclusive; leave out --only-failed`,
  ]);
}
