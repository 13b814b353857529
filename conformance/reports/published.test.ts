import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sampleReport } from '../proof/sample-report.ts';
import { publishTo } from './published.ts';
import type { Report } from './report-schema.ts';
import { badgeOf, badgeReport, type Summary, summaryOf } from './summary.ts';

let report: Report;
beforeAll(async () => {
  report = await sampleReport();
});

const ids = (length: number) => Array<never>(length);

test('a badge never counts what was not judged as kept', () => {
  const green = { verdict: 'conformant', kept: ids(70), broken: ids(0), waived: ids(1), notJudged: ids(3) } as const;
  expect(badgeOf(green)).toEqual({
    label: 'Partner API',
    message: '70 rules kept, 1 waived, 3 not judged',
    color: 'yellowgreen',
  });
  expect(badgeOf({ ...green, waived: ids(0), notJudged: ids(0) }).color).toBe('brightgreen');
  expect(badgeOf({ ...green, verdict: 'non-conformant', broken: ids(1) })).toMatchObject({
    message: '70 rules kept, 1 broken, 1 waived, 3 not judged',
    color: 'red',
  });
});

test('a badge is an SVG for a path that ends so, and else the endpoint form of shields.io', () => {
  const { message } = badgeOf(summaryOf(report, 'Acme 1'));
  expect(JSON.parse(badgeReport(report, 'badge.json'))).toMatchObject({
    schemaVersion: 1,
    label: 'Partner API',
    message,
  });
  expect(badgeReport(report, 'out/badge.svg')).toMatch(/^<svg .*<\/svg>\n$/s);
  expect(badgeReport(report, 'out/badge.svg')).toContain(message);
});

test('each must rule is once in a summary: kept, broken, waived or not judged', () => {
  const { kept, broken, waived, notJudged } = summaryOf(report, 'Acme 1');
  const all = [...kept, ...broken, ...[...waived, ...notJudged].map(({ id }) => id)];
  const musts = report.rows.filter(({ rule }) => rule.level === 'must' && rule.provenance === 'documented');
  expect(all.sort()).toEqual(musts.map(({ id }) => id).sort());
  expect(broken.length).toBeGreaterThan(0);
  expect(notJudged.length).toBeGreaterThan(0);
});

test('a folder has the runs of all implementations, and its index the newest first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-published-'));
  await publishTo(folder, report, 'Acme API 2.4.1');
  writeFileSync(join(folder, 'acme-api-2.4.1', '2020-01-01T00-00-00-000Z.json'), '{"no": "summary"}');
  const later = { ...report, startedAt: '2030-01-01T00:00:00.000Z' };
  const files = await publishTo(folder, later, '../<b>Globex</b>');
  expect(files.every((file) => file.startsWith(folder))).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['acme-api-2.4.1', 'b-globex-b', 'index.html']);
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  expect([...index.matchAll(/<a href="([^"]*)">([^<]*)/g)].map(([, page, name]) => [page, name])).toEqual([
    ['b-globex-b/2030-01-01T00-00-00-000Z.html', '../&lt;b&gt;Globex&lt;/b&gt;'],
    [expect.stringMatching(/^acme-api-2\.4\.1\/.*Z\.html$/), 'Acme API 2.4.1'],
  ]);
  const summary: Summary = JSON.parse(readFileSync(files[1] ?? '', 'utf8'));
  expect(summary).toMatchObject({ implementation: '../<b>Globex</b>', verdict: report.verdict });
});
