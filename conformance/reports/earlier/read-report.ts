import { readJsonReport } from '../../../spec/files/read-json-report.ts';
import { type Report, reportSchema } from '../report-schema.ts';

/**
 * Reads a JSON report that an earlier run has written.
 * @throws ConfigurationError when it cannot be read or is none
 */
export function readReport(file: string): Report {
  return readJsonReport(file, reportSchema);
}
