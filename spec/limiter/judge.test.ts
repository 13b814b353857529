import { describe, expect, test } from 'vitest';
import { type EnvelopeOptions, envelope } from './envelope.ts';
import { judge } from './judge.ts';
import type { Limit } from './limit.ts';
import { measuredIn } from './measure.ts';
import { type Admission, admissionOf, type Observation } from './observation.ts';
import { statusOf } from './proof/simulate.ts';

const LIMIT: Limit = { perSecond: 10, burst: 20 };

/** Of the buckets that could have answered so. */
const measure = (limit: Limit, samples: readonly Observation[], options: EnvelopeOptions = {}) =>
  measuredIn(envelope(samples, limit, options), limit);

const sample = (sentAt: number, doneAt: number, admission: Admission): Observation => ({
  sentAt,
  doneAt,
  status: statusOf[admission],
});
const many = (count: number, at: number, outcome: Admission): Observation[] =>
  Array.from({ length: count }, () => sample(at, at + 1, outcome));

/** A bucket through a volley at once and a minute of `offered` requests a second; instant replies. */
function minute(rate: number, offered: number, volley = 60, burst = 20): Observation[] {
  const sent = Array.from({ length: volley + 60 * offered }, (_, i) => (Math.max(0, i - volley) * 1000) / offered);
  let tokens = burst;
  return sent.map((at, i) => {
    tokens = Math.min(burst, tokens + (rate * (at - (sent[i - 1] ?? 0))) / 1000);
    const outcome = tokens >= 1 ? 'admitted' : 'throttled';
    if (tokens >= 1) tokens -= 1;
    return sample(at, at, outcome);
  });
}

describe('the verdict', () => {
  test('passes a minute of overload on ten a second, and says what it measured', () => {
    const judgement = judge(LIMIT, minute(10, 15));
    expect(judgement).toMatchObject({ verdict: 'pass', missed: [], off: { rate: 0, burst: 0 }, limit: LIMIT });
    expect(judgement).not.toHaveProperty('deviation');
    expect(judgement.counts).toEqual({ admitted: 619, throttled: 341, refused: 0, unknown: 0 });
    expect(judgement.measured.rate.low).toBeGreaterThan(9.8);
    expect(judgement.measured.rate.high).toBeLessThan(10.2);
    expect(judgement.measured.burst.best).toBe(20);
  });

  test('is too lax at 12 a second, with the size', () => {
    const judgement = judge(LIMIT, minute(12, 15));
    expect(judgement.verdict).toBe('too-lax');
    expect(judgement.deviation).toBeCloseTo(0.2, 2);
    expect(judgement.reason).toMatch(
      /^\d+ admitted within \d+\.\d\d s \(from 0\.00 s\), where the most generous reading allows \d+$/,
    );
  });

  test('is too strict at 8 a second, with the size', () => {
    const judgement = judge(LIMIT, minute(8, 15));
    expect(judgement.verdict).toBe('too-strict');
    expect(judgement.deviation).toBeCloseTo(-0.2, 2);
    expect(judgement.reason).toMatch(/^a 429 at \d+\.\d\d s, when even a bucket of 20 held \d+\.\d tokens$/);
  });

  test.each([
    { at: 20, verdict: 'pass' },
    { at: 31, verdict: 'pass' },
    { at: 32, verdict: 'too-lax' },
    { at: 19, verdict: 'too-strict' },
  ])('is $verdict when $at of 60 pass at once', ({ at, verdict }) => {
    const volley = [...many(at, 0, 'admitted'), ...many(60 - at, 0, 'throttled')];
    expect(judge(LIMIT, volley, { mustShow: { smallerBurst: 0.25, largerBurst: 0.25 } }).verdict).toBe(verdict);
  });

  test('weighs a burst by the nearest honest reading', () => {
    const volley = (count: number) => judge(LIMIT, [...many(count, 0, 'admitted'), ...many(5, 0, 'throttled')]);
    expect(volley(40).deviation).toBeCloseTo(40 / 31 - 1);
    expect(volley(15).deviation).toBeCloseTo(15 / 20 - 1);
  });

  test('weighs what no bucket explains by the window, and reports no intervals', () => {
    const seconds = Array.from({ length: 20 }, (_, i) => i * 1000);
    const samples = seconds.flatMap((at) => [...many(30, at, 'admitted'), ...many(5, at + 900, 'throttled')]);
    const { verdict, deviation, tooLax, measured, off } = judge(LIMIT, samples);
    expect(verdict).toBe('too-lax');
    expect(deviation).toBeCloseTo((tooLax?.admitted ?? 0) / (tooLax?.allowed ?? 1) - 1, 1);
    expect(off).toEqual({ rate: 0, burst: 0 });
    const open = { low: 0, high: Number.POSITIVE_INFINITY };
    expect(measured).toEqual({ rate: open, burst: open, bucket: false });
  });

  test('is inconclusive when the run could not have shown a demanded deviation, and names it', () => {
    expect(judge(LIMIT, []).missed).toContain('anything: nothing was observed');
    expect(judge(LIMIT, [], { mustShow: {} }).verdict).toBe('inconclusive');
    const paced = minute(10, 10, 0);
    expect(judge(LIMIT, paced).missed).toEqual([
      'a rate too high by 20%',
      'a burst too small by 25%',
      'a burst too large by 25%',
    ]);
    expect(judge(LIMIT, paced, { mustShow: { slower: 0.2 } }).verdict).toBe('pass');
    // 12 rps with a burst of 20 needs more than 11 / 2 seconds of overload to be told from 10 rps with a burst of 31.
    const short = minute(10, 15, 0).slice(0, 15 * 5);
    expect(judge(LIMIT, short, { mustShow: { slower: 0.2 } }).verdict).toBe('inconclusive');
    expect(judge(LIMIT, minute(10, 15, 0), { mustShow: { slower: 0.2 } }).verdict).toBe('pass');
  });

  test('demands of a burst alone only what a burst shows', () => {
    const volley = [...many(20, 0, 'admitted'), ...many(5, 0, 'throttled')];
    expect(judge(LIMIT, volley).missed).toEqual(['a rate too low by 20%', 'a rate too high by 20%']);
  });

  test('reports no deviation that the contract allows', () => {
    const faster = judge(LIMIT, minute(10.1, 15));
    expect(faster).toMatchObject({ verdict: 'pass', off: { rate: 0, burst: 0 } });
    expect(faster.measured.rate.low).toBeGreaterThan(10.05);
    const slower = judge(LIMIT, minute(9.9, 15, 60, 31));
    expect(slower).toMatchObject({ verdict: 'pass', off: { rate: 0, burst: 0 } });
    expect(slower.measured.rate.high).toBeLessThan(9.95);
    const smaller = judge(LIMIT, minute(14, 15, 0, 18));
    expect(smaller).toMatchObject({ verdict: 'too-lax', off: { burst: 0 } });
    expect(smaller.measured.burst.high).toBeLessThan(20);
  });

  test('counts a time-out as perhaps admitted, for strictness only', () => {
    const volley = (unknown: number) => [
      ...many(15, 0, 'admitted'),
      ...many(unknown, 0, 'unknown'),
      ...many(3, 0, 'throttled'),
    ];
    expect(judge(LIMIT, volley(4)).verdict).toBe('too-strict');
    expect(judge(LIMIT, volley(5)).verdict).toBe('inconclusive');
    expect(judge(LIMIT, [...many(31, 0, 'admitted'), ...many(9, 0, 'unknown')]).tooLax).toBeUndefined();
  });

  test('forgets time-outs after lateMs', () => {
    const samples = [...many(20, 0, 'unknown'), ...many(3, 120_000, 'throttled')];
    expect(judge(LIMIT, samples).verdict).toBe('too-strict');
    expect(judge(LIMIT, samples, { lateMs: 120_000 }).verdict).toBe('inconclusive');
  });

  test('measures each part after a rest by itself, so that what is unknown of one does not hide what the next shows', () => {
    const outage = many(25, 0, 'unknown');
    const thenFrom = (from: number) => [
      ...outage,
      ...minute(10, 15).map((one) => ({ ...one, sentAt: one.sentAt + from, doneAt: one.doneAt + from })),
    ];
    expect(judge(LIMIT, thenFrom(5_000)).missed).toEqual([]);
    expect(judge(LIMIT, thenFrom(1_000)).missed).toContain('a rate too high by 20%');
  });

  test('excuses early 429s of a key that was in use before, until it must have refilled', () => {
    const startedFull = false;
    expect(judge(LIMIT, many(3, 0, 'throttled')).verdict).toBe('too-strict');
    expect(judge(LIMIT, many(3, 0, 'throttled'), { startedFull }).verdict).toBe('inconclusive');
    const later = [sample(0, 1, 'throttled'), sample(150, 151, 'throttled')];
    expect(judge(LIMIT, later, { startedFull }).verdict).toBe('too-strict');
  });

  test('takes the samples of several machines in any order, within the skew of their clocks', () => {
    const here = minute(10, 15);
    const apart = here
      .map((one, i) => (i % 2 ? one : sample(one.sentAt + 800, one.doneAt + 800, admissionOf(one.status))))
      .reverse();
    expect(judge(LIMIT, apart).verdict).toBe('too-strict');
    expect(['pass', 'inconclusive']).toContain(judge(LIMIT, apart, { skewMs: 800 }).verdict);
    expect(judge(LIMIT, [...here].reverse())).toEqual(judge(LIMIT, here));
  });

  test('gives instants in the clock of the samples', () => {
    const start = 1_700_000_000_000;
    const { tooLax } = judge(LIMIT, many(40, start, 'admitted'), { skewMs: 0 });
    expect(tooLax).toEqual({ from: start, to: start + 1, admitted: 40, allowed: 31 });
    const { tooStrict } = judge(LIMIT, many(1, start, 'throttled'), { skewMs: 0 });
    expect(tooStrict).toEqual({ at: start, tokens: 20 });
  });

  test('takes no rounding error for a deviation if a request is admitted at the instant of a refill', () => {
    for (const perSecond of [3, 7, 9, 11, 13, 30]) {
      for (const capacity of [1, 2, perSecond + 2]) {
        let tokens = capacity;
        let last = 0;
        const samples = Array.from({ length: 400 }, (_, i): Observation => {
          const at = (Math.floor(i / 3) * 1000) / perSecond;
          tokens = Math.min(capacity, tokens + ((at - last) * perSecond) / 1000);
          last = at;
          const admitted = tokens >= 1;
          if (admitted) tokens -= 1;
          return sample(at, at, admitted ? 'admitted' : 'throttled');
        });
        const { verdict, reason } = judge({ perSecond, burst: Math.min(capacity, 1), drift: 0 }, samples, {
          skewMs: 0,
        });
        expect(['pass', 'inconclusive'], reason).toContain(verdict);
      }
    }
  });

  test.each([3, 7, 9, 11, 13, 30])(
    'takes no rounding for a crowd at exactly %i a second on top of the largest burst',
    (perSecond) => {
      const paced = Array.from({ length: 400 }, (_, i) =>
        sample((i * 1000) / perSecond, (i * 1000) / perSecond, 'admitted'),
      );
      const first = Array.from({ length: perSecond + 1 }, () => sample(0, 0, 'admitted'));
      const options = { skewMs: 0 };
      expect(judge({ perSecond, burst: 1, drift: 0 }, [...first, ...paced], options).tooLax).toBeUndefined();
      expect(
        judge({ perSecond, burst: 1, drift: 0 }, [...first, sample(0, 0, 'admitted'), ...paced], options).verdict,
      ).toBe('too-lax');
    },
  );

  test('takes a tenth of drift where a gateway is best-effort', () => {
    expect(judge({ ...LIMIT, drift: 0.1 }, minute(10.9, 15)).verdict).not.toBe('too-lax');
    expect(judge(LIMIT, minute(10.9, 15)).verdict).toBe('too-lax');
  });

  test.each([
    [[sample(5, 4, 'admitted')], LIMIT, 'observations[0]: sent at 5, done at 4: use a clock that never goes back'],
    [[sample(0, 1, 'admitted'), sample(Number.NaN, 4, 'admitted')], LIMIT, 'observations[1]: sent at NaN, done at 4'],
    [[], { perSecond: 0, burst: 20 }, 'limit: 0 per second, burst 20: give a rate above 0, a burst of 1 or more'],
    [[], { perSecond: 10, burst: Number.NaN }, 'limit: 10 per second, burst NaN'],
  ] as [Observation[], Limit, string][])('refuses %j with %j', (samples, limit, message) => {
    expect(() => judge(limit, samples)).toThrow(message);
    expect(() => measure(limit, samples)).toThrow(RangeError);
  });

  test('judges 100,000 samples in less than quadratic time', () => {
    const hour = Array.from({ length: 56 }, (_, i) => i * 200_000).flatMap((at) =>
      minute(10, 30).map((one) => sample(one.sentAt + at, one.doneAt + at + 35, admissionOf(one.status))),
    );
    expect(hour.length).toBeGreaterThan(100_000);
    expect(judge(LIMIT, hour).verdict).toBe('pass');
  });
});

test('shows as much where one reply in seven takes two seconds', () => {
  const run = minute(10, 15).map((one, i) => (i % 7 === 0 ? { ...one, doneAt: one.doneAt + 2000 } : one));
  expect(judge(LIMIT, run)).toMatchObject({ verdict: 'pass', missed: [] });
});

test('names the way when replies take longer than what must be told apart', () => {
  const reply = (sentAt: number, took: number) => sample(sentAt, sentAt + took, 'admitted');
  const volley = (took: number) =>
    judge(
      LIMIT,
      Array.from({ length: 20 }, () => reply(0, took)),
      { mustShow: { smallerBurst: 0.25 } },
    );
  expect(volley(300).verdict).toBe('pass');
  expect(volley(600).reason).toMatch(
    /a burst too small by 25% \(the quickest reply took 0\.60 s: measure from nearer\)$/,
  );
  // Where there is no reply, there is nothing to be nearer to.
  expect(judge(LIMIT, [], { mustShow: { smallerBurst: 0.25 } }).reason).not.toContain('measure from nearer');
});

describe('what is measured', () => {
  test('is not changed by a pause in the run', () => {
    const run = minute(10, 15);
    const { rate } = measure(LIMIT, [
      ...run,
      ...run.map((one) => sample(one.sentAt + 6e5, one.doneAt + 6e5, admissionOf(one.status))),
    ]);
    expect(rate.low).toBeGreaterThan(9.9);
    expect(rate.high).toBeLessThan(10.1);
  });

  test('has a single best figure only if the interval is narrow', () => {
    const run = minute(10, 15);
    expect(measure(LIMIT, run)).toMatchObject({ rate: { best: expect.closeTo(10, 1) }, burst: { best: 20 } });
    const { rate } = measure(LIMIT, run.slice(0, 60 + 30));
    expect(rate.high).toBeLessThan(40);
    expect(rate).not.toHaveProperty('best');
  });

  test('leaves open what the run does not bound', () => {
    const open = Number.POSITIVE_INFINITY;
    expect(measure(LIMIT, [])).toEqual({ rate: { low: 0, high: open }, burst: { low: 0, high: open }, bucket: true });
    const paced = measure(LIMIT, minute(10, 10, 0));
    expect(paced).toEqual({ rate: { low: 0, high: open }, burst: { low: 1, high: open }, bucket: true });
    const closed = measure(LIMIT, many(3, 0, 'throttled'));
    expect(closed).toMatchObject({ burst: { low: 0, high: 1 }, bucket: true });
  });

  test('is no bucket if a full one throttles, or if too many requests pass after that', () => {
    expect(measure(LIMIT, [...many(1, 0, 'throttled'), ...many(1, 9000, 'admitted')]).bucket).toBe(false);
    const crowd = Array.from({ length: 40 }, () => sample(9000, 9000, 'admitted'));
    expect(measure(LIMIT, [sample(0, 0, 'throttled'), ...crowd], { skewMs: 0 }).bucket).toBe(false);
  });
});
