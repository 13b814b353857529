import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { countsMarkdown, countsOf, countsTable } from './counts.ts';

const tests = [
  { file: 'hardening/b.test.ts', failed: false, tally: { inputs: 1200, faults: 3 } },
  { file: 'hardening/b.test.ts', failed: false, tally: { inputs: 34 } },
  { file: 'hardening/a.test.ts', failed: false, tally: { inputs: 1, faults: 1, lost: 0 } },
  { file: 'spec/other.test.ts', failed: true, tally: undefined },
];

it('sums by file and over all, and leaves out tests that count nothing', () => {
  expect(countsOf(tests)).toEqual({
    files: {
      'hardening/a.test.ts': { tests: 1, failed: 0, inputs: 1, faults: 1, lost: 0 },
      'hardening/b.test.ts': { tests: 2, failed: 0, inputs: 1234, faults: 3, lost: 0 },
    },
    total: { tests: 3, failed: 0, inputs: 1235, faults: 4, lost: 0 },
  });
  expect(countsOf([])).toBeNull();
  expect(countsOf(tests.slice(3))).toBeNull();
});

it('says in a table and a sentence what was tried, and what was lost', () => {
  const report = countsOf(tests);
  if (report === null) throw new Error('nothing was counted');
  expect(countsTable(report)).toBe(
    [
      '',
      'hardening             tests   failed   inputs   faults   lost',
      'hardening/a.test.ts       1        0        1        1      0',
      'hardening/b.test.ts       2        0    1,234        3      0',
      'all                       3        0    1,235        4      0',
      '',
      '1,235 inputs tried, 4 faults caused: nothing lost',
      '',
    ].join('\n'),
  );
  const bad = countsOf([{ file: 'a', failed: true, tally: { inputs: 1, lost: 2 } }]);
  expect(bad && countsTable(bad)).toContain('2 LOST, 1 tests failed');
  expect(countsMarkdown(report)).toContain('| hardening/b.test.ts | 2 | 0 | 1,234 | 3 | 0 |');
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
