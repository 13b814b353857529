import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { reportSchema } from '../../../conformance/reports/report-schema.ts';
import { withShortLists } from './json-schemas.ts';

/** The JSON Schema of JSON reports, for those who read them with other tools. */
export function renderReportSchema(): string {
  const { $schema, ...rest } = z.toJSONSchema(reportSchema);
  const title = 'A report of partnerkit conformance run, version 1.';
  return `${withShortLists(JSON.stringify({ $schema, title, ...rest }, null, 2))}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(new URL('../../../conformance/reports/report.schema.json', import.meta.url), renderReportSchema());
}
