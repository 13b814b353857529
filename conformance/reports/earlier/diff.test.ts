import { expect, it } from 'vitest';
import { sampleReport } from '../../proof/sample-report.ts';
import type { Report, ReportRow } from '../report-schema.ts';
import { diffReports, diffText } from './diff.ts';

const report = await sampleReport();
const withOutcome = (outcome: ReportRow['outcome'] | 'absent', message = ''): Report => {
  const [row] = report.rows;
  return {
    ...report,
    rows: row === undefined || outcome === 'absent' ? [] : [{ ...row, id: 'a/b', outcome, message }],
  };
};
const kindOf = (before: ReportRow['outcome'] | 'absent', after: ReportRow['outcome'] | 'absent') => {
  const diff = diffReports(withOutcome(before), withOutcome(after));
  return Object.entries(diff).flatMap(([kind, changes]) => (changes.length > 0 ? [kind] : []));
};

it('finds no difference between a run and itself', () => {
  expect(diffReports(report, report)).toEqual({ worse: [], fixed: [], changed: [] });
  expect(diffText(diffReports(report, report))).toBe('No differences.\n');
});

it.each([
  ['pass', 'fail', 'worse'],
  ['absent', 'fail', 'worse'],
  ['not-selected', 'fail', 'worse'],
  ['inconclusive', 'fail', 'worse'],
  ['pass', 'inconclusive', 'worse'],
  ['pass', 'not-run', 'worse'],
  ['pass', 'warn', 'worse'],
  ['fail', 'pass', 'fixed'],
  ['fail', 'warn', 'fixed'],
  ['fail', 'inconclusive', 'changed'],
  ['fail', 'not-selected', 'changed'],
  ['pass', 'not-selected', 'changed'],
  ['inconclusive', 'pass', 'changed'],
  ['absent', 'pass', 'changed'],
  ['pass', 'absent', 'changed'],
] as const)('%s, then %s: %s', (before, after, kind) => {
  expect(kindOf(before, after)).toEqual([kind]);
});

it('shows a new answer to an open question, but not another message of a pass', () => {
  expect(diffReports(withOutcome('observed', '404'), withOutcome('observed', '403')).changed).toHaveLength(1);
  expect(diffReports(withOutcome('pass', 'x'), withOutcome('pass', 'y')).changed).toEqual([]);
});

it('reads as text', () => {
  const text = diffText(diffReports(withOutcome('pass'), withOutcome('fail', 'expected 403; observed 401')));
  expect(text).toBe('Worse\n  a/b: pass -> fail  expected 403; observed 401\n');
});
