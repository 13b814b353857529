import { expect, test } from 'vitest';
import { milliseconds } from './duration.ts';

test.each([
  ['500ms', 500],
  ['1.5s', 1_500],
  ['2m', 120_000],
  ['5m1s', 301_000],
  ['1h 30m', 5_400_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  ['0s', 0],
  [' 10s ', 10_000],
])('%s', (text, expected) => {
  expect(milliseconds(text)).toBe(expected);
});

test.each(['', '10', 's', 'soon', '1x', '1h 5cats', '-5s', '1h-5m', '5m,1s', '1h30', '10s!', '1e3s', 'in 5s'])(
  '%j is no duration',
  (text) => {
    expect(milliseconds(text)).toBeUndefined();
  },
);
