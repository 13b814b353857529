import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { withShortLists } from '../../spec/generate/json-schemas.ts';
import { loadReportSchema } from './report-schema.ts';

/** `load/report.schema.json`, as text: for those who read JSON reports with other tools. */
export function renderReportSchema(): string {
  const { $schema, ...rest } = z.toJSONSchema(loadReportSchema);
  return `${withShortLists(JSON.stringify({ $schema, title: 'A report of partnerkit load, version 1.', ...rest }, null, 2))}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(new URL('../report.schema.json', import.meta.url), renderReportSchema());
}
