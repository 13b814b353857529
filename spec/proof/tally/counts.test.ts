import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { countsMarkdown, countsOf, countsTable, reportOf } from './counts.ts';
import { keepCounts } from './keep-counts.ts';

const tests = [
  { file: 'hardening/b.test.ts', failed: false, tally: { inputs: 1200, faults: 3 } },
  { file: 'hardening/b.test.ts', failed: false, tally: { inputs: 34 } },
  { file: 'hardening/a.test.ts', failed: false, tally: { inputs: 1, faults: 1, lost: 0 } },
  { file: 'spec/other.test.ts', failed: true, tally: undefined },
];

const b = { tests: 2, failed: 0, inputs: 1234, faults: 3, lost: 0 };
const a = { tests: 1, failed: 0, inputs: 1, faults: 1, lost: 0 };

it('sums by file, and leaves out tests without counts', () => {
  expect(countsOf(tests)).toEqual({ 'hardening/b.test.ts': b, 'hardening/a.test.ts': a });
  expect(countsOf(tests.slice(3))).toEqual({});
});

it('has a table and a sentence of what was tried when, and what was lost', () => {
  const report = reportOf({ b: { ...b, on: '2026-11-22' }, a: { ...a, on: '2026-11-02' } });
  expect(report.total).toEqual({ tests: 3, failed: 0, inputs: 1235, faults: 4, lost: 0 });
  expect(countsTable(report)).toBe(
    [
      '',
      'hardening   tests   failed   inputs   faults   lost           on',
      'a               1        0        1        1      0   2026-11-02',
      'b               2        0    1,234        3      0   2026-11-22',
      'all             3        0    1,235        4      0',
      '',
      '1,235 inputs tried, 4 faults caused: nothing lost',
      '',
    ].join('\n'),
  );
  const bad = reportOf({ a: { ...a, failed: 1, lost: 2, on: '' } });
  expect(countsTable(bad)).toContain('2 LOST, 1 tests failed');
  expect(countsMarkdown(report)).toContain('| b | 2 | 0 | 1,234 | 3 | 0 | 2026-11-22 |');
});

it('keeps the rows of other files that are still there, and replaces those that were counted anew', () => {
  const folder = mkdtempSync(join(tmpdir(), 'counts-'));
  const file = join(folder, 'hardening.json');
  vi.stubEnv('HARDENING_REPORT', file);
  try {
    const before = { ...a, on: '2026-01-01' };
    writeFileSync(file, JSON.stringify({ files: { 'package.json': before, 'gone.ts': before, 'README.md': before } }));
    const { files, total } = keepCounts({ 'README.md': b });
    expect(Object.keys(files)).toEqual(['README.md', 'package.json']);
    expect([files['package.json'], total.inputs]).toEqual([before, 1235]);
    expect(files['README.md']).toEqual({ ...b, on: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ files, total });
    writeFileSync(file, 'torn');
    expect(Object.keys(keepCounts({ 'README.md': b }).files)).toEqual(['README.md']);
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});

it('a run ends with the table, in the summary of a CI step too', async () => {
  const root = join(import.meta.dirname, '../../..');
  const folder = mkdtempSync(join(tmpdir(), 'summary-'));
  try {
    const summary = join(folder, 'summary.md');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const words = [vitest, 'run', 'bin/release/supply-chain.test.ts', '--reporter=./spec/proof/tally/reporter.ts'];
    const env = { ...process.env, GITHUB_STEP_SUMMARY: summary, HARDENING_REPORT: join(folder, 'hardening.json') };
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env });
    expect(stdout).toMatch(/\d+ inputs tried, \d+ faults caused: nothing lost/);
    expect(readFileSync(summary, 'utf8')).toContain('### Hardening');
    expect(JSON.parse(readFileSync(join(folder, 'hardening.json'), 'utf8')).total.tests).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
