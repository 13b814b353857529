import { expect, it } from 'vitest';
import { createClock, latestInstant, toMilliseconds } from './clock.ts';

it('follows its source, plus the time by which it was advanced', () => {
  let real = 1_000;
  const clock = createClock(() => real);
  clock.advance('5m');
  real += 7;
  expect(clock.now()).toBe(301_007);
  expect(clock.offset).toBe(300_000);
  clock.reset();
  expect(clock.now()).toBe(1_007);
});

it('stands still when frozen, and then moves only by advance', () => {
  let real = 1_000;
  const clock = createClock(() => real);
  clock.freeze('2026-11-21T10:00:00Z');
  real += 5_000;
  expect(new Date(clock.now()).toISOString()).toBe('2026-11-21T10:00:00.000Z');
  clock.advance(250);
  expect(new Date(clock.now()).toISOString()).toBe('2026-11-21T10:00:00.250Z');
  expect(clock.frozen).toBe(true);
  clock.reset();
  expect([clock.now(), clock.frozen]).toEqual([6_000, false]);
});

it.each([
  ['250ms', 250],
  ['2s', 2_000],
  ['1.5m', 90_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  [17, 17],
])('reads %s as %d ms', (text, expected) => {
  expect(toMilliseconds(text)).toBe(expected);
});

it.each(['5', 'five minutes', '-1s', '', 'm', '1e3s', -1, Number.NaN, Number.POSITIVE_INFINITY, '99999d'])(
  'refuses %s, names the remedy and leaves the clock as it was',
  (duration) => {
    const clock = createClock(() => 1_000);
    expect(() => clock.advance(duration)).toThrow(/give milliseconds/);
    expect(clock.now()).toBe(1_000);
  },
);

it.each(['yesterday', Number.NaN, -1, 1e18])('refuses to freeze at %s', (at) => {
  const clock = createClock(() => 1_000);
  expect(() => clock.freeze(at)).toThrow(/not a point in time/);
  expect(clock.frozen).toBe(false);
});

it('cannot be advanced beyond the dates that replies can show', () => {
  const clock = createClock(() => 1_000);
  clock.freeze(latestInstant - 5);
  expect(() => clock.advance(6)).toThrow(/beyond the year 9999/);
  clock.advance(5);
  expect(clock.now()).toBe(latestInstant);
  clock.reset();
  for (let decades = 0; decades < 5; decades++) clock.advance('3650d');
  expect(clock.offset).toBe(5 * 3650 * 86_400_000);
});
