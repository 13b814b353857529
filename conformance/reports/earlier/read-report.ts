import { readJsonReport } from '../../../spec/files/read-json-report.ts';
import { type Report, reportSchema } from '../report-schema.ts';

/**
 * Reads the JSON report of an earlier run.
 * @throws ConfigurationError when the file cannot be read or is not a JSON report
 */
export function readReport(file: string): Report {
  return readJsonReport(file, reportSchema);
}
