import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderReportSchema } from './load-report-schema.ts';

test('the JSON Schema of reports is current', () => {
  const file = readFileSync(new URL('../../../load/report.schema.json', import.meta.url), 'utf8');
  expect(file, 'run node bin/release/generate/load-report-schema.ts').toBe(renderReportSchema());
});
