import { expect, it } from 'vitest';
import { describeOffset } from './describe-offset.ts';

it.each([
  [0, '+0 ms'],
  [250, '+250 ms'],
  [-1_500, '−1 s 500 ms'],
  [300_000, '+5 min'],
  [3_900_000, '+1 h 5 min'],
  [90_061_001, '+1 d 1 h'],
])('%d ms is %s', (milliseconds, text) => {
  expect(describeOffset(milliseconds)).toBe(text);
});
