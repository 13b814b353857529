import { expect, it } from 'vitest';
import { summaryOf } from './summary.ts';

it('has the middle of an odd number of values, in any order', () => {
  expect(summaryOf([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9, values: [9, 1, 5] });
});

it('has the mean of the two in the middle of an even number', () => {
  expect(summaryOf([10, 1, 4, 2])).toMatchObject({ median: 3, min: 1, max: 10 });
  expect(summaryOf([7]).median).toBe(7);
});

it('is nothing without values', () => {
  expect(() => summaryOf([])).toThrow('nothing was measured');
});
