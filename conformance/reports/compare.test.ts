import { expect, it } from 'vitest';
import { sampleReport } from '../proof/sample-report.ts';
import { answersThatDiffer, compareRuns, comparisonText } from './compare.ts';
import type { Report, ReportRow } from './report-schema.ts';

const report = await sampleReport();
const withOutcome = (outcome: ReportRow['outcome'] | 'absent', message = ''): Report => {
  const [row] = report.rows;
  return {
    ...report,
    rows: row === undefined || outcome === 'absent' ? [] : [{ ...row, id: 'a/b', outcome, message }],
  };
};
const kindOf = (before: ReportRow['outcome'] | 'absent', after: ReportRow['outcome'] | 'absent') => {
  const diff = compareRuns(withOutcome(before), withOutcome(after));
  return Object.entries(diff).flatMap(([kind, changes]) => (changes.length > 0 ? [kind] : []));
};

it('finds no difference between a run and itself', () => {
  expect(compareRuns(report, report)).toEqual({ worse: [], fixed: [], changed: [], answers: [] });
  expect(comparisonText(compareRuns(report, report))).toBe('No differences.\n');
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
  expect(compareRuns(withOutcome('observed', '404'), withOutcome('observed', '403')).changed).toHaveLength(1);
  expect(compareRuns(withOutcome('pass', 'x'), withOutcome('pass', 'y')).changed).toEqual([]);
});

it('reads as text', () => {
  const text = comparisonText(compareRuns(withOutcome('pass'), withOutcome('fail', 'expected 403; observed 401')));
  expect(text).toBe('Worse\n  a/b: pass -> fail  expected 403; observed 401\n');
  const narrow = comparisonText(compareRuns(withOutcome('pass'), withOutcome('not-selected')));
  expect(narrow).toBe('Not selected this time\n  1 law\n');
});

it('takes a list in another order, and other counts, for the same', () => {
  const [before, after] = [
    withOutcome('observed', '404 (1 of 2); 400, 403'),
    withOutcome('observed', '403, 400; 404 (2 of 9)'),
  ];
  expect(compareRuns(before, after).changed).toEqual([]);
  const profiles = [['a', 'b'], ['b', 'a'], ['a']].map((list) => ({ profile: { service: { list } } as never }));
  const [one, other, shorter] = profiles as [{ profile: never }, { profile: never }, { profile: never }];
  expect(compareRuns(one, other).answers).toEqual([]);
  expect(answersThatDiffer(compareRuns(one, shorter))).toEqual([
    { place: 'service.list', before: ['a', 'b'], after: ['a'] },
  ]);
});

it('tells answers that changed from those that were not seen, and from new ones', () => {
  const profile = (errors: object) => ({ profile: { errors } as never });
  const before = profile({ 'unknown-path': { status: 404, code: 'GONE' }, 'too-large': { status: 413 } });
  const after = profile({ 'unknown-path': { status: 404, code: 'NOT_FOUND' }, 'no-key': { status: 403 } });
  expect(comparisonText(compareRuns(before, after))).toBe(
    [
      'Answers that changed\n  errors.unknown-path.code was GONE is NOT_FOUND\n',
      'Answers not seen this time\n  errors.too-large.status was 413\n',
      'Answers not seen before\n  errors.no-key.status is 403\n',
    ].join('\n'),
  );
});
