import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judge, type Limit, measure, type Outcome, type Sample } from './rate-limit.ts';

const LIMIT: Limit = { perSecond: 10, burst: 20 };

const sample = (sentAt: number, doneAt: number, outcome: Outcome): Sample => ({ sentAt, doneAt, outcome });
const many = (count: number, at: number, outcome: Outcome): Sample[] =>
  Array.from({ length: count }, () => sample(at, at + 1, outcome));

/** A bucket of 20 through a volley at once and a minute of `offered` requests a second; instant replies. */
function minute(rate: number, offered: number, volley = 60): Sample[] {
  const sent = Array.from({ length: volley + 60 * offered }, (_, i) => (Math.max(0, i - volley) * 1000) / offered);
  let tokens = 20;
  return sent.map((at, i) => {
    tokens = Math.min(20, tokens + (rate * (at - (sent[i - 1] ?? 0))) / 1000);
    const outcome = tokens >= 1 ? 'admitted' : 'throttled';
    if (tokens >= 1) tokens -= 1;
    return sample(at, at, outcome);
  });
}

describe('the verdict', () => {
  test('passes a minute of overload on ten a second, and says what it measured', () => {
    const judgement = judge(minute(10, 15), LIMIT);
    expect(judgement).toMatchObject({ verdict: 'pass', missed: [], off: { rate: 0, burst: 0 }, limit: LIMIT });
    expect(judgement).not.toHaveProperty('deviation');
    expect(judgement.counts).toEqual({ admitted: 619, throttled: 341, unknown: 0 });
    expect(judgement.measured.rate.low).toBeGreaterThan(9.8);
    expect(judgement.measured.rate.high).toBeLessThan(10.2);
    expect(judgement.measured.burst.best).toBe(20);
  });

  test('is too lax at 12 a second, with the size', () => {
    const judgement = judge(minute(12, 15), LIMIT);
    expect(judgement.verdict).toBe('too-lax');
    expect(judgement.deviation).toBeCloseTo(0.2, 2);
    expect(judgement.reason).toMatch(
      /^\d+ admitted within \d+\.\d\d s \(from 0\.00 s\), where the most generous reading allows \d+$/,
    );
  });

  test('is too strict at 8 a second, with the size', () => {
    const judgement = judge(minute(8, 15), LIMIT);
    expect(judgement.verdict).toBe('too-strict');
    expect(judgement.deviation).toBeCloseTo(-0.2, 2);
    expect(judgement.reason).toMatch(/^the 429 at \d+\.\d\d s: even a bucket of 20 held \d+\.\d tokens$/);
  });

  test.each([
    { at: 20, verdict: 'pass' },
    { at: 31, verdict: 'pass' },
    { at: 32, verdict: 'too-lax' },
    { at: 19, verdict: 'too-strict' },
  ])('is $verdict when $at of 60 pass at once', ({ at, verdict }) => {
    const volley = [...many(at, 0, 'admitted'), ...many(60 - at, 0, 'throttled')];
    expect(judge(volley, LIMIT, { mustShow: { smallerBurst: 0.25, largerBurst: 0.25 } }).verdict).toBe(verdict);
  });

  test('weighs a burst by the nearest honest reading', () => {
    const volley = (count: number) => judge([...many(count, 0, 'admitted'), ...many(5, 0, 'throttled')], LIMIT);
    expect(volley(40).deviation).toBeCloseTo(40 / 31 - 1);
    expect(volley(15).deviation).toBeCloseTo(15 / 20 - 1);
  });

  test('weighs what no bucket explains by the window, and reports no intervals', () => {
    const seconds = Array.from({ length: 20 }, (_, i) => i * 1000);
    const samples = seconds.flatMap((at) => [...many(30, at, 'admitted'), ...many(5, at + 900, 'throttled')]);
    const { verdict, deviation, tooLax, measured, off } = judge(samples, LIMIT);
    expect(verdict).toBe('too-lax');
    expect(deviation).toBeCloseTo((tooLax?.admitted ?? 0) / (tooLax?.allowed ?? 1) - 1, 1);
    expect(off).toEqual({ rate: 0, burst: 0 });
    const open = { low: 0, high: Number.POSITIVE_INFINITY };
    expect(measured).toEqual({ rate: open, burst: open, bucket: false });
  });

  test('is inconclusive when the run could not have shown a demanded deviation, and names it', () => {
    expect(judge([], LIMIT).missed).toContain('anything: there are no samples');
    expect(judge([], LIMIT, { mustShow: {} }).verdict).toBe('inconclusive');
    const paced = minute(10, 10, 0);
    expect(judge(paced, LIMIT).missed).toEqual([
      'a rate too high by 20%',
      'a burst too small by 25%',
      'a burst too large by 25%',
    ]);
    expect(judge(paced, LIMIT, { mustShow: { slower: 0.2 } }).verdict).toBe('pass');
    // 12 rps with a burst of 20 needs more than 11 / 2 seconds of overload to be told from 10 rps with a burst of 31.
    const short = minute(10, 15, 0).slice(0, 15 * 5);
    expect(judge(short, LIMIT, { mustShow: { slower: 0.2 } }).verdict).toBe('inconclusive');
    expect(judge(minute(10, 15, 0), LIMIT, { mustShow: { slower: 0.2 } }).verdict).toBe('pass');
  });

  test('counts a time-out as perhaps admitted, for strictness only', () => {
    const volley = (unknown: number) => [
      ...many(15, 0, 'admitted'),
      ...many(unknown, 0, 'unknown'),
      ...many(3, 0, 'throttled'),
    ];
    expect(judge(volley(4), LIMIT).verdict).toBe('too-strict');
    expect(judge(volley(5), LIMIT).verdict).toBe('inconclusive');
    expect(judge([...many(31, 0, 'admitted'), ...many(9, 0, 'unknown')], LIMIT).tooLax).toBeUndefined();
  });

  test('forgets time-outs after lateMs', () => {
    const samples = [...many(20, 0, 'unknown'), ...many(3, 120_000, 'throttled')];
    expect(judge(samples, LIMIT).verdict).toBe('too-strict');
    expect(judge(samples, LIMIT, { lateMs: 120_000 }).verdict).toBe('inconclusive');
  });

  test('excuses early 429s of a key that was in use before, until it must have refilled', () => {
    const startedFull = false;
    expect(judge(many(3, 0, 'throttled'), LIMIT).verdict).toBe('too-strict');
    expect(judge(many(3, 0, 'throttled'), LIMIT, { startedFull }).verdict).toBe('inconclusive');
    const later = [sample(0, 1, 'throttled'), sample(150, 151, 'throttled')];
    expect(judge(later, LIMIT, { startedFull }).verdict).toBe('too-strict');
  });

  test('takes the samples of several machines in any order, within the skew of their clocks', () => {
    const here = minute(10, 15);
    const apart = here
      .map((one, i) => (i % 2 ? one : sample(one.sentAt + 800, one.doneAt + 800, one.outcome)))
      .reverse();
    expect(judge(apart, LIMIT).verdict).toBe('too-strict');
    expect(['pass', 'inconclusive']).toContain(judge(apart, LIMIT, { skewMs: 800 }).verdict);
    expect(judge([...here].reverse(), LIMIT)).toEqual(judge(here, LIMIT));
  });

  test('gives instants in the clock of the samples', () => {
    const start = 1_700_000_000_000;
    const { tooLax } = judge(many(40, start, 'admitted'), LIMIT, { skewMs: 0 });
    expect(tooLax).toEqual({ from: start, to: start + 1, admitted: 40, allowed: 31 });
    const { tooStrict } = judge(many(1, start, 'throttled'), LIMIT, { skewMs: 0 });
    expect(tooStrict).toEqual({ at: start, tokens: 20 });
  });

  test('takes a tenth of drift where a gateway is best-effort', () => {
    expect(judge(minute(10.9, 15), { ...LIMIT, drift: 0.1 }).verdict).not.toBe('too-lax');
    expect(judge(minute(10.9, 15), LIMIT).verdict).toBe('too-lax');
  });

  test.each([
    [[sample(5, 4, 'admitted')], LIMIT, 'samples[0]: sent at 5, done at 4: use a clock that never goes back'],
    [[sample(0, 1, 'admitted'), sample(Number.NaN, 4, 'admitted')], LIMIT, 'samples[1]: sent at NaN, done at 4'],
    [[], { perSecond: 0, burst: 20 }, 'limit: 0 per second, burst 20: give a rate above 0, a burst of 1 or more'],
    [[], { perSecond: 10, burst: Number.NaN }, 'limit: 10 per second, burst NaN'],
  ] as [Sample[], Limit, string][])('refuses %j with %j', (samples, limit, message) => {
    expect(() => judge(samples, limit)).toThrow(message);
    expect(() => measure(samples, limit)).toThrow(RangeError);
  });

  test('judges 100,000 samples within a test, which nothing quadratic would', () => {
    const hour = Array.from({ length: 56 }, (_, i) => i * 200_000).flatMap((at) =>
      minute(10, 30).map((one) => sample(one.sentAt + at, one.doneAt + at + 35, one.outcome)),
    );
    expect(hour.length).toBeGreaterThan(100_000);
    expect(judge(hour, LIMIT).verdict).toBe('pass');
  });
});

test('k6 can run rate-limit.ts: it imports nothing', () => {
  const source = readFileSync(new URL('./rate-limit.ts', import.meta.url), 'utf8');
  expect(source).not.toMatch(/^\s*(import|export .* from)\b|\brequire\(|\bprocess\b|\bBuffer\b/m);
});
