import { expect, it } from 'vitest';
import type { CheckResult, Outcome } from '../../../conformance/outcome.ts';
import { sampleChecks } from '../../../conformance/proof/sample-checks.ts';
import { plain } from '../../../conformance/reports/console.ts';
import { progressOn } from './progress.ts';

const result = (id: string, outcome: Outcome): CheckResult => {
  const nothing = { message: '', expected: null, observed: null, exchanges: [] };
  return { id, rule: 'auth/no-key-is-403', outcome, duration: 12, ...nothing };
};

/** What a run of three checks, one of them not selected, writes to a stream. */
function written(isTTY: boolean, columns: number): string {
  let text = '';
  const stream = { isTTY, columns, write: (part: string) => (text += part) };
  const progress = progressOn(stream, plain);
  for (const check of sampleChecks.slice(0, 2)) progress.onStart(check);
  progress.onResult(result('auth/no-key', 'fail'), 1, 3);
  progress.onResult(result('auth/other', 'not-selected'), 2, 3);
  progress.onResult(result('auth/third', 'not-run'), 2, 3);
  progress.say('Interrupted.');
  progress.onResult(result('auth/forbidden-body', 'pass'), 3, 3);
  progress.end();
  return text;
}

it('writes a plain line per check where nobody watches', () => {
  expect(written(false, 80)).toBe(
    'fail         auth/no-key 12 ms\nInterrupted.\npass         auth/forbidden-body 12 ms\n',
  );
});

it('rewrites one line on a terminal, keeps failures above it and leaves nothing behind', () => {
  const lines = written(true, 80).split('\r\u001b[2K');
  expect(lines).toContain('0/0  auth/no-key, auth/forbidden-body');
  expect(lines).toContain('fail         auth/no-key 12 ms\n');
  expect(lines).toContain('1/3, 1 to look at  auth/forbidden-body');
  expect(lines).toContain('Interrupted.\n');
  expect(lines).not.toContain('pass         auth/forbidden-body 12 ms\n');
  expect(lines.at(-1)).toBe('');
});

it('keeps to the width of the terminal', () => {
  const statuses = written(true, 30)
    .split('\r\u001b[2K')
    .filter((line) => /^\d+\//.test(line));
  expect(Math.max(...statuses.map(({ length }) => length))).toBe(29);
});
