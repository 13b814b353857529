import { describe, expect, it } from 'vitest';
import type { BucketMoment, LimitDetail } from '../control/control.ts';
import { minuteOf } from './minute.ts';

const now = Date.parse('2026-11-21T10:01:00.500Z');
/** @param before milliseconds before now */
const ago = (before: number) => new Date(now - before).toISOString();
const moment = (from: number, to: number, some: Partial<BucketMoment> = {}): BucketMoment => ({
  from: ago(from),
  to: ago(to),
  admitted: 1,
  throttled: 0,
  before: 20,
  after: 19,
  ...some,
});
const limit = (lastMinute: BucketMoment[], some: Partial<LimitDetail> = {}) =>
  ({ now: ago(0), rateLimit: { perSecond: 10, burst: 20 }, level: 20, lastMinute, ...some }) as LimitDetail;
/** Times are in seconds relative to now. */
const corners = (about: LimitDetail) =>
  minuteOf(about).level.map(({ at, level }) => [Number((at - now / 1_000).toFixed(3)), Number(level.toFixed(3))]);

describe('the last minute of a key', () => {
  it('has sixty seconds, the last of which is the current one', () => {
    const { seconds } = minuteOf(limit([]));
    expect([seconds.length, seconds.at(-1)?.at]).toEqual([60, Math.floor(now / 1_000)]);
  });

  it('counts admitted and throttled requests in their seconds', () => {
    const { seconds } = minuteOf(
      limit([moment(59_000, 59_000), moment(400, 300, { admitted: 2, throttled: 15 }), moment(10, 0)]),
    );
    expect([seconds[0]?.admitted, seconds.at(-1)]).toEqual([
      1,
      expect.objectContaining({ admitted: 3, throttled: 15 }),
    ]);
  });

  it('draws a full bucket as a flat line', () => {
    expect(corners(limit([]))).toEqual([
      [-59.5, 20],
      [0, 20],
    ]);
  });

  it('draws the fall of the level, the refill at its rate, and a full bucket after that', () => {
    expect(corners(limit([moment(10_000, 9_900, { before: 20, after: 0 })]))).toEqual([
      [-59.5, 20],
      [-10, 20],
      [-9.9, 0],
      [-7.9, 20],
      [0, 20],
    ]);
  });

  it('draws a refill that was interrupted before the bucket was full', () => {
    const moments = [moment(1_000, 1_000, { before: 20, after: 0 }), moment(500, 500, { before: 5, after: 4 })];
    expect(corners(limit(moments, { level: 9 }))).toEqual([
      [-59.5, 20],
      [-1, 20],
      [-1, 0],
      [-0.5, 5],
      [-0.5, 4],
      [0, 9],
    ]);
  });

  it('has no line for a key without a limit', () => {
    expect(minuteOf(limit([moment(5, 5)], { rateLimit: null, level: null })).level).toEqual([]);
  });
});
