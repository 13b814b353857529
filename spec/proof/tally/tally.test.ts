import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tally } from './tally.ts';

it('adds up what a test tried', ({ task }) => {
  tally({ inputs: 2 });
  tally({ inputs: 3, faults: 1 });
  expect(task.meta.tally).toEqual({ inputs: 5, faults: 1, lost: 0 });
  delete task.meta.tally;
});

it('a run ends with a row of each file', async () => {
  const root = join(import.meta.dirname, '../../..');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const words = [vitest, 'run', 'bin/release/supply-chain.test.ts', '--reporter=./spec/proof/tally/reporter.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root });
  expect(stdout).toMatch(/bin\/release\/supply-chain\.test\.ts │ \d+ +│ \d+ +│ 0/);
  expect(stdout).toContain('hardening: nothing lost');
});
