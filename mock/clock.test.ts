import { afterEach, expect, it, vi } from 'vitest';
import { createClock, latestInstant, toMilliseconds } from './clock.ts';
import { createMock } from './create-mock.ts';
import { wholeBody } from './message.ts';
import { acme } from './proof/acme.ts';

afterEach(() => void vi.useRealTimers());

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

it('goes with fake timers: neither back nor ahead when they begin and end', () => {
  const clock = createClock();
  const before = clock.now();
  vi.useFakeTimers();
  const begun = clock.now();
  vi.advanceTimersByTime(60_000);
  const advanced = clock.now();
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  const ended = clock.now();
  vi.useFakeTimers({ now: 0 });
  const again = clock.now();
  expect([advanced - begun, clock.now() - again]).toEqual([60_000, 0]);
  const real = [begun - before, ended - advanced - 60_000, again - ended];
  for (const passed of real) expect(passed).toBeGreaterThanOrEqual(0);
  expect(Math.max(...real)).toBeLessThan(30_000);
});

it('begins at the Date of the test, and does not follow it', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 5_000 });
  const clock = createClock();
  vi.setSystemTime(90_000_000);
  expect(clock.now()).toBeGreaterThanOrEqual(5_000);
  expect(clock.now()).toBeLessThan(60_000);
});

it('under fake timers, a bucket fills and an upload URL expires as the test lets time pass', async () => {
  await using mock = await createMock({ rateLimit: { perSecond: 1, burst: 1 } });
  const ask = async (method: string, url: string, body?: string) => {
    const headers = { 'x-api-key': acme.full, 'content-type': body?.startsWith('{') ? 'application/json' : 'a/b' };
    const bytes = body === undefined ? null : wholeBody(new TextEncoder().encode(body));
    return mock.handle({ method, url, headers, origin: 'http://127.0.0.1', body: bytes });
  };
  const labels = async () => (await ask('GET', '/v1/labels')).status;
  const started = await ask('POST', `/v1/site/${acme.site}/file/upload-url`, '{"contentType":"a/b"}');
  const { uploadUrl } = JSON.parse(started.body ?? '');
  const put = async () => (await ask('PUT', uploadUrl.slice('http://127.0.0.1'.length), 'x')).status;
  vi.useFakeTimers();
  expect([await labels(), await put()]).toEqual([429, 200]);
  vi.advanceTimersByTime(1_000);
  expect([await labels(), await labels()]).toEqual([200, 429]);
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  expect(await labels()).toBe(200);
  mock.journal.verifyGaps({ operationId: 'listLabels', status: 200 }, { atLeast: '1s' });
  vi.useFakeTimers();
  vi.advanceTimersByTime(5 * 60_000);
  expect(await put()).toBe(403);
});
