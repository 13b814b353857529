import { expect, it } from 'vitest';
import { describeOffset } from './describe-offset.ts';

it.each([
  [0, '0 ms ahead'],
  [250, '250 ms ahead'],
  [-1_500, '1 s 500 ms behind'],
  [300_000, '5 min ahead'],
  [3_900_000, '1 h 5 min ahead'],
  [90_061_001, '1 d 1 h ahead'],
])('%d ms is %s', (milliseconds, text) => {
  expect(describeOffset(milliseconds)).toBe(text);
});
