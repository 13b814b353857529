import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderReportSchema } from './generate-schema.ts';

test('the JSON Schema of reports is current', () => {
  const file = readFileSync(new URL('../report.schema.json', import.meta.url), 'utf8');
  expect(file, 'run node load/report/generate-schema.ts').toBe(renderReportSchema());
});
