import { expect, it } from 'vitest';
import { seededRandom } from './random.ts';

const first = (seed: number, count: number) => Array.from({ length: count }, seededRandom(seed));

it('gives the same numbers for the same seed, and others for another', () => {
  expect(first(7, 5)).toEqual(first(7, 5));
  expect(first(7, 5)).not.toEqual(first(8, 5));
});

it('spreads over [0, 1), also the first number of neighbouring seeds', () => {
  const begins = Array.from({ length: 1000 }, (_, seed) => first(seed, 1)[0] ?? 2);
  for (const numbers of [first(1, 1000), begins]) {
    const tenths = Array.from({ length: 10 }, (_, i) => numbers.filter((n) => Math.floor(n * 10) === i).length);
    expect(Math.min(...tenths)).toBeGreaterThan(60);
    expect(Math.max(...tenths)).toBeLessThan(140);
  }
});
