import { expect, it } from 'vitest';
import { describeWait } from './describe-wait.ts';

it.each([
  [null, 'at once'],
  [0, 'at once'],
  [96, 'in 0.1 s'],
  [2_340, 'in 2.3 s'],
  [600_000, 'in 10 min'],
])('%d ms: %s', (wait, words) => {
  expect(describeWait(wait)).toBe(words);
});
