import { expect, it } from 'vitest';
import { durationInWords, instantInWords } from './time-in-words.ts';

it('an instant has its zone', () => {
  expect(instantInWords('2026-11-21T10:01:02.345Z')).toBe('2026-11-21 10:01:02 UTC');
});

it.each([
  [0.04, '< 0.1 ms'],
  [3.27, '3.3 ms'],
  [40, '40 ms'],
  [23_000, '23 s'],
  [1_234, '1.2 s'],
  [303_000, '5 min 3 s'],
  [300_000, '5 min'],
  [90_061_001, '1 d 1 h'],
])('%i ms are %s', (milliseconds, words) => {
  expect(durationInWords(milliseconds)).toBe(words);
});
