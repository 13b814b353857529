import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import type { ReportRow } from '../report-schema.ts';
import { readReport } from './read-report.ts';

const unsettled: readonly ReportRow['outcome'][] = ['fail', 'error', 'inconclusive'];

/**
 * The ids of the laws that failed or could not be judged in an earlier run.
 * @param file the JSON report of that run
 * @throws ConfigurationError when the file cannot be read, or when no law is left: a run that selects nothing must not look like a success
 */
export function unsettledIn(file: string): readonly string[] {
  const ids = readReport(file).rows.flatMap(({ id, outcome }) => (unsettled.includes(outcome) ? [id] : []));
  if (ids.length > 0) return ids;
  throw new ConfigurationError([
    `${file}: nothing failed in that run and nothing was inconclusive; leave out --only-failed`,
  ]);
}
