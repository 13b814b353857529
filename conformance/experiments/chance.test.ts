import { expect, it } from 'vitest';
import { likelihood, tailOf } from './chance.ts';

it('counts few and thousands alike', () => {
  expect(likelihood(8, 8, 0, 8)).toBeCloseTo(1 / 12_870, 12);
  expect(likelihood(1, 1, 0, 4_999)).toBeCloseTo(1 / 5_000, 10);
  expect(likelihood(2_000, 2_000, 2_000, 2_000)).toBeCloseTo(1, 6);
  expect(tailOf(1, 2, 0.5)).toBeCloseTo(0.75, 12);
  expect(tailOf(1, 5_000, 0.001)).toBeCloseTo(1 - 0.999 ** 5_000, 8);
});
