import { describe, expect, it } from 'vitest';
import { createBucket, recorded } from './bucket.ts';

const start = Date.parse('2026-11-21T10:00:00Z');
const bucket = () => recorded(createBucket({ perSecond: 10, burst: 20 }));
const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);

describe('the record of a bucket', () => {
  it('has the admitted and throttled requests and the level of the bucket for each quarter of a second', () => {
    const limiter = bucket();
    for (let i = 0; i < 33; i++) limiter.take(start + i);
    limiter.take(start + 1_000);
    const [burst, later] = limiter.lastMinute(start + 1_000);
    expect(burst).toEqual({
      from: start,
      to: start + 32,
      admitted: 20,
      throttled: 13,
      before: 20,
      after: expect.closeTo(0.32, 5),
    });
    expect(later).toMatchObject({
      admitted: 1,
      throttled: 0,
      before: expect.closeTo(10, 5),
      after: expect.closeTo(9, 5),
    });
  });

  it('admits the same requests as the limiter without a record', () => {
    const [plain, noted] = [createBucket({ perSecond: 10, burst: 20 }), bucket()];
    const waits = (limiter: typeof plain) => Array.from({ length: 200 }, (_, i) => limiter.take(start + i * 37));
    expect(waits(noted)).toEqual(waits(plain));
  });

  it('keeps a minute and no more, however long it is used', () => {
    const limiter = bucket();
    for (let at = 0; at < 200_000; at += 100) limiter.take(start + at);
    const moments = limiter.lastMinute(start + 199_900);
    expect(sum(moments.map(({ admitted }) => admitted))).toBeGreaterThanOrEqual(600);
    expect(moments.length).toBeLessThanOrEqual(241);
    expect(moments.at(-1)?.to).toBe(start + 199_900);
    expect(limiter.lastMinute(start + 300_000)).toEqual([]);
  });

  it('leaves out times after the clock when it was set back', () => {
    const limiter = bucket();
    limiter.take(start + 5_000);
    expect(limiter.lastMinute(start)).toEqual([]);
    limiter.take(start);
    expect(limiter.lastMinute(start)).toHaveLength(1);
  });

  it('counts requests also without a limit', () => {
    const limiter = recorded(createBucket({ perSecond: Infinity, burst: Infinity }));
    limiter.take(start);
    expect(limiter.lastMinute(start)).toMatchObject([{ admitted: 1, throttled: 0, after: Infinity }]);
  });
});
