import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { loadReportSchema } from '../../../load/report/report-schema.ts';
import { withShortLists } from './json-schemas.ts';

/** `load/report.schema.json`, as text: for those who read JSON reports with other tools. */
export function renderReportSchema(): string {
  const { $schema, ...rest } = z.toJSONSchema(loadReportSchema);
  return `${withShortLists(JSON.stringify({ $schema, title: 'A report of partnerkit load, version 1.', ...rest }, null, 2))}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(new URL('../../../load/report.schema.json', import.meta.url), renderReportSchema());
}
