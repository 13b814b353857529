import { describe, expect, it } from 'vitest';
import type { RuleId } from '../../spec/rules.ts';
import type { Outcome } from '../verdict/judge.ts';
import { applyWaivers } from './verdict.ts';

/** Results of laws from pairs of a rule and an outcome. */
const results = (...rows: readonly (readonly [RuleId, Outcome])[]) =>
  rows.map(([rule, outcome], i) => ({ id: `law/${i}`, rule, outcome }));

const verdictOf = (rows: ReturnType<typeof results>, { allowNotRun = false } = {}) =>
  applyWaivers({ results: rows, interrupted: false }, [], 0, allowNotRun);

const must: RuleId = 'auth/no-key-is-403';
const other: RuleId = 'labels/apply-adds';
const should: RuleId = 'auth/forbidden-has-the-error-body';
const open: RuleId = 'limiter/burst-reading';

describe('a run', () => {
  it.each([
    ['conformant', 0, results([must, 'pass'], [other, 'pass'])],
    ['conformant', 0, results([must, 'pass'], [should, 'warn'], [open, 'observed'], [open, 'error'])],
    ['conformant', 0, results([must, 'pass'], [must, 'not-selected'])],
    ['non-conformant', 1, results([must, 'pass'], [must, 'fail'])],
    ['non-conformant', 1, results([must, 'fail'], [other, 'error'], [other, 'not-run'])],
    ['incomplete', 3, results([must, 'pass'], [other, 'inconclusive'])],
    ['incomplete', 3, results([must, 'pass'], [must, 'not-run'])],
    ['incomplete', 3, results([must, 'pass'], [other, 'error'])],
    ['incomplete', 3, results([must, 'not-selected'])],
    ['incomplete', 3, results([open, 'observed'], [should, 'pass'])],
    ['incomplete', 3, results()],
  ])('is %s, exit code %i', (verdict, exitCode, rows) => {
    expect(verdictOf(rows)).toMatchObject({ verdict, exitCode });
  });

  it('accepts only not-run laws with allowNotRun', () => {
    expect(verdictOf(results([must, 'pass'], [other, 'not-run']), { allowNotRun: true }).exitCode).toBe(0);
    expect(verdictOf(results([must, 'pass'], [must, 'not-run']), { allowNotRun: true }).exitCode).toBe(0);
    expect(verdictOf(results([must, 'fail'], [must, 'not-run']), { allowNotRun: true }).exitCode).toBe(1);
    expect(verdictOf(results([must, 'not-run']), { allowNotRun: true }).exitCode).toBe(3);
    expect(verdictOf(results([must, 'pass'], [other, 'inconclusive']), { allowNotRun: true }).exitCode).toBe(3);
  });
});
