import { expect, it } from 'vitest';
import { durationInWords, instantInWords } from './time-in-words.ts';

it('an instant has its zone', () => {
  expect(instantInWords('2026-11-21T10:01:02.345Z')).toBe('2026-11-21 10:01:02 UTC');
});

it.each([
  [40, '40 ms'],
  [1_234, '1.2 s'],
  [303_000, '5 min 3 s'],
])('%i ms are %s', (milliseconds, words) => {
  expect(durationInWords(milliseconds)).toBe(words);
});
