import { expect, it } from 'vitest';
import { missingAtFirst } from './missing-tokens.ts';

const limit = { perSecond: 10, burst: 20 };
const sent = (sentAt: number, status: number, count: number) =>
  Array.from({ length: count }, () => ({ sentAt, doneAt: 400, status }));

it('misses no token in a volley that a busy machine sent in two parts, of which the larger one was throttled', () => {
  expect(missingAtFirst(limit, [...sent(0, 200, 20), ...sent(40, 429, 44)])).toBe(0);
  expect(
    missingAtFirst(limit, [...sent(0, 200, 13), ...sent(12, 429, 8), ...sent(25, 200, 7), ...sent(30, 429, 16)]),
  ).toBe(0);
});

it('misses the tokens that a volley in two parts was not given', () => {
  expect(missingAtFirst(limit, [...sent(0, 200, 8), ...sent(40, 429, 44)])).toBeGreaterThanOrEqual(11);
});
