import { expect, it } from 'vitest';
import { describeDuration } from './describe-duration.ts';

it.each([
  [0.04, '< 0.1 ms'],
  [3.27, '3.3 ms'],
  [42, '42 ms'],
  [300, '0.3 s'],
  [12_040, '12.0 s'],
])('%d: %s', (milliseconds, words) => {
  expect(describeDuration(milliseconds)).toBe(words);
});
