import { describe, expect, it } from 'vitest';
import type { Exchange } from '../control/control-types.ts';
import { minuteOf } from './minute.ts';

const now = Date.parse('2026-11-21T10:01:00.500Z');
const key = { tenant: 'acme', name: 'full' };
const exchange = (change: Partial<Exchange>) =>
  ({ at: '2026-11-21T10:01:00.100Z', tenant: 'acme', key: 'full', refused: null, ...change }) as Exchange;
const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);

describe('the last minute of a key', () => {
  it('has sixty seconds and ends with the one that is running', () => {
    const { seconds } = minuteOf([], key, [], now);
    expect([seconds.length, seconds.at(-1)]).toEqual([60, Math.floor(now / 1000)]);
  });

  it('counts admitted and throttled requests in their seconds', () => {
    const minute = minuteOf(
      [
        exchange({ at: '2026-11-21T10:00:01.000Z' }),
        exchange({}),
        exchange({ refused: 'missing-scope' }),
        exchange({ refused: 'throttled' }),
      ],
      key,
      [],
      now,
    );
    expect([minute.admitted[0], minute.admitted.at(-1), minute.throttled.at(-1)]).toEqual([1, 2, 1]);
  });

  it('leaves out other keys, older requests, and those that no bucket judged', () => {
    const minute = minuteOf(
      [
        exchange({ tenant: 'globex' }),
        exchange({ key: 'none' }),
        exchange({ refused: 'revoked-key' }),
        exchange({ at: '2026-11-21T10:00:00.999Z' }),
        exchange({ at: '2026-11-21T10:02:00.000Z', refused: 'throttled' }),
      ],
      key,
      [],
      now,
    );
    expect([sum(minute.admitted), sum(minute.throttled)]).toEqual([0, 0]);
  });

  it('has the last level that was seen in a second, and null where nobody looked', () => {
    const samples = [
      { at: now - 2_000, level: 20 },
      { at: now - 300, level: 7 },
      { at: now, level: 8.5 },
    ];
    expect(minuteOf([], key, samples, now).level.slice(-4)).toEqual([null, 20, null, 8.5]);
  });
});
