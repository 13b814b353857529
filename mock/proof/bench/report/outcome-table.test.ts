import { expect, it } from 'vitest';
import { outcomeTable } from './outcome-table.ts';
import { summaryOf } from './summary.ts';

const lines = (...measurements: Parameters<typeof outcomeTable>[0]) =>
  outcomeTable(measurements, 'for another reason').trim().split('\n').slice(2);

it('shows every figure beside its goal, and marks a missed goal with its reason', () => {
  const context = { goal: 'context', unit: '×', detail: 'x' } as const;
  expect(
    lines(
      { ...context, figure: summaryOf([0.81, 0.7999, 0.9]) },
      { ...context, figure: summaryOf([0.7951]), reason: 'the bound is too high' },
    ),
  ).toEqual([
    '| GET context, against bare node:http | at least 0.8 × | 0.81 × | 0.8 to 0.9 | hit | x |',
    '| GET context, against bare node:http | at least 0.8 × | 0.795 × |  | **miss**: the bound is too high | x |',
  ]);
});

it('supports goals with an upper bound', () => {
  const memory = { goal: 'memory', unit: 'MB', detail: '' } as const;
  const [hit, miss] = lines({ ...memory, figure: summaryOf([120]) }, { ...memory, figure: summaryOf([121]) });
  expect([hit, miss].map((line) => line?.split(' | ')[4])).toEqual(['hit', '**miss**: for another reason']);
});

it('shows figures without a goal', () => {
  expect(lines({ goal: null, what: 'express', figure: summaryOf([9123.4]), unit: '/s', detail: '' })).toEqual([
    '| express |  | 9,123 /s |  |  |  |',
  ]);
});
