import { expect, it } from 'vitest';
import { describeSize } from './describe-size.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.00 kB'],
  [10_485_760, '10.5 MB'],
  [3e9, '3.00 GB'],
])('%d: %s', (bytes, words) => {
  expect(describeSize(bytes)).toBe(words);
});
