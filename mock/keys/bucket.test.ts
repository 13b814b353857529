import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBucket, defaultRateLimit, retryAfterSeconds } from './bucket.ts';

/** Virtual arrival times: gaps in ms, some none at all, some long idle. */
const arrivals = fc
  .array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 30, noNaN: true }), fc.integer({ min: 0, max: 5_000 })), {
    maxLength: 400,
  })
  .map((gaps) => {
    let at = 1_700_000_000_000;
    return gaps.map((gap) => {
      at += gap;
      return at;
    });
  });

describe('a bucket of 10 per second and 20', () => {
  it('admits at most 20 + 10 T requests in any window of T seconds', () => {
    fc.assert(
      fc.property(arrivals, (times) => {
        const bucket = createBucket(defaultRateLimit);
        const admitted = times.filter((at) => bucket.take(at) === 0);
        for (const [i, from] of admitted.entries()) {
          for (let j = i; j < admitted.length; j++) {
            const seconds = ((admitted[j] ?? 0) - from) / 1000;
            expect(j - i + 1).toBeLessThanOrEqual(20 + 10 * seconds + 1e-3);
          }
        }
      }),
    );
  });

  it('never throttles a client paced at 10 per second, for as long as it lasts', () => {
    const bucket = createBucket(defaultRateLimit);
    for (let i = 0; i < 100_000; i++) expect(bucket.take(1_700_000_000_000 + i * 100)).toBe(0);
  });

  it('never throttles a paced client whose requests arrive up to 1.9 s late', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1_900, noNaN: true }), { minLength: 100, maxLength: 300 }),
        (late) => {
          const bucket = createBucket(defaultRateLimit);
          const times = late.map((jitter, i) => 1_000_000 + i * 100 + jitter).sort((a, b) => a - b);
          expect(times.filter((at) => bucket.take(at) > 0)).toEqual([]);
        },
      ),
    );
  });

  it('lets 20 pass at once, and 30 in the first second, because the burst is on top of the steady rate', () => {
    const bucket = createBucket(defaultRateLimit);
    const atOnce = Array.from({ length: 40 }, () => bucket.take(0)).filter((wait) => wait === 0).length;
    const later = Array.from({ length: 1000 }, (_, i) => bucket.take(i + 1)).filter((wait) => wait === 0).length;
    expect([atOnce, atOnce + later]).toEqual([20, 30]);
  });

  it('takes nothing for a rejected request, and lets one pass exactly after the stated wait', () => {
    const bucket = createBucket(defaultRateLimit);
    for (let i = 0; i < 20; i++) bucket.take(0);
    const waits = Array.from({ length: 50 }, () => bucket.take(0));
    expect(new Set(waits)).toEqual(new Set([100]));
    expect(bucket.take(99.9)).toBeGreaterThan(0);
    expect(bucket.take(100)).toBe(0);
    expect(bucket.take(100)).toBeGreaterThan(0);
  });

  it('is full again after 2 s of rest and never fuller', () => {
    const bucket = createBucket(defaultRateLimit);
    for (let i = 0; i < 20; i++) bucket.take(0);
    expect(bucket.level(1_000)).toBeCloseTo(10);
    expect(bucket.level(2_000)).toBeCloseTo(20);
    expect(bucket.level(60_000)).toBe(20);
  });

  it('keeps the used tokens when its limit is changed', () => {
    const bucket = createBucket(defaultRateLimit);
    for (let i = 0; i < 15; i++) bucket.take(0);
    bucket.limitTo({ perSecond: 100, burst: 3 }, 0);
    expect(bucket.level(0)).toBe(3);
    bucket.limitTo({ perSecond: 100, burst: 50 }, 0);
    expect(bucket.level(0)).toBe(3);
    expect(bucket.level(100)).toBeCloseTo(13);
  });

  it('refills nothing while the clock stands before its last use', () => {
    const bucket = createBucket(defaultRateLimit);
    for (let i = 0; i < 20; i++) bucket.take(100_000);
    expect(bucket.take(50_000)).toBe(100);
    expect(bucket.take(50_100)).toBe(0);
  });
});

it('has no limit where both values are infinite', () => {
  const bucket = createBucket({ perSecond: Number.POSITIVE_INFINITY, burst: Number.POSITIVE_INFINITY });
  for (let i = 0; i < 1_000; i++) expect(bucket.take(0)).toBe(0);
});

it.each([
  [Number.POSITIVE_INFINITY, 2 ** 31 - 1],
  [1, 1],
  [100, 1],
  [1_000, 1],
  [1_001, 2],
  [2_500, 3],
])('a wait of %d ms is a Retry-After of %d', (wait, seconds) => {
  expect(retryAfterSeconds(wait)).toBe(seconds);
});
