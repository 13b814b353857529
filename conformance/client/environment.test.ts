import { expect, it } from 'vitest';
import { distinctClock } from './environment.ts';

it('never gives the same time twice, and otherwise follows the clock', () => {
  const start = Date.UTC(2026, 10, 22);
  let at = start;
  const now = distinctClock(() => at);
  const still = Array.from({ length: 1_000 }, now);
  expect(new Set(still).size).toBe(1_000);
  expect(still).toEqual(still.toSorted((a, b) => a - b));
  expect((still.at(-1) ?? 0) - start).toBeLessThanOrEqual(1);
  at += 5;
  expect(now()).toBe(at);
});
