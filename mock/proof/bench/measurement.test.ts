import { expect, it } from 'vitest';
import { isFarOff, median, outcomeTable } from './measurement.ts';

const line = { what: 'context', unit: '×', detail: 'x', atLeast: 0.9 };

it('shows every figure beside its goal', () => {
  const rows = outcomeTable([
    { ...line, values: [0.91, 0.8999, 0.99] },
    { ...line, values: [0.7951] },
    { what: 'start', values: [9123.4], unit: 'ms', detail: '' },
  ]);
  expect(rows.trim().split('\n').slice(2)).toEqual([
    '| context | at least 0.9 × | 0.91 × | 0.9 to 0.99 | hit | x |',
    '| context | at least 0.9 × | 0.795 × |  | **miss** | x |',
    '| start |  | 9,123 ms |  |  |  |',
  ]);
});

it('judges a short run by its best round', () => {
  expect(isFarOff({ ...line, values: [0.1, 0.31] })).toBe(false);
  expect(isFarOff({ ...line, values: [0.1, 0.29] })).toBe(true);
  expect(isFarOff({ what: 'start', unit: '×', detail: '', atMost: 1.6, values: [7, 5.1] })).toBe(true);
});

it('has the middle of the values, and none of none', () => {
  expect([median([9, 1, 5]), median([10, 1, 4, 2])]).toEqual([5, 3]);
  expect(() => median([])).toThrow('nothing was measured');
});
