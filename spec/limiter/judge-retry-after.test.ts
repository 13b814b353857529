import { describe, expect, test } from 'vitest';
import type { Admission, Observation } from './observation.ts';
import { statusOf } from './proof/simulate.ts';
import { judgeRetryAfter } from './throttled-reply.ts';

const limit = { perSecond: 10, burst: 20 };
const sample = (sentAt: number, doneAt: number, admission: Admission): Observation => ({
  sentAt,
  doneAt,
  status: statusOf[admission],
});
const throttled = sample(0, 80, 'throttled');
const judgeWith = (value: string | null | undefined, others: Observation[]) =>
  judgeRetryAfter({ value, throttled, others, limit });

describe('the value', () => {
  test.each([undefined, null, '', '-1', '+1', 'soon', '1s', 'Wed, 21 Oct 2026 07:28:00 GMT'])(
    '%j is malformed',
    (value) => {
      expect(judgeWith(value, [sample(90_000, 90_080, 'admitted')]).verdict).toBe('malformed');
    },
  );

  test.each([
    ['1', 1],
    [' 3 ', 3],
    ['03', 3],
    ['3600', 3600],
    ['0', 1],
    ['0.1', 0.1],
  ])('%j is seconds, however long or short', (value, seconds) => {
    expect(judgeWith(value, [])).toMatchObject({ verdict: 'inconclusive', seconds });
    expect(judgeWith(value, [sample(3_601_000, 3_601_080, 'admitted')]).verdict).toBe('pass');
  });

  test('is read as it is, also with decimals', () => {
    expect(judgeWith('0.1', [sample(190, 200, 'throttled')]).verdict).toBe('broken');
    expect(judgeWith('1.5', [sample(1085, 1160, 'throttled')]).verdict).toBe('inconclusive');
  });
});

describe('the promise', () => {
  test('is kept by a request that passes after the wait', () => {
    expect(judgeWith('1', [sample(1085, 1160, 'admitted')])).toMatchObject({ verdict: 'pass', seconds: 1 });
  });

  test('is broken by a 429 after the wait, even when a later request passes', () => {
    const { verdict, reason } = judgeWith('1', [sample(1085, 1160, 'throttled'), sample(9000, 9080, 'admitted')]);
    expect(verdict).toBe('broken');
    expect(reason).toBe('Retry-After said 1 s, and a request sent 1.00 s after the 429 was throttled again');
  });

  test('is for one request: of a volley of a bucket that is too small some pass, the first perhaps not', () => {
    const volley = Array.from({ length: 15 }, () => sample(4_000, 4_080, 'admitted'));
    expect(judgeWith('1', [sample(4_000, 4_080, 'throttled'), ...volley]).verdict).toBe('pass');
  });

  test('does not count a 429 within the wait from the reply, with clocks that are a millisecond off', () => {
    expect(judgeWith('1', [sample(1000, 1080, 'throttled')]).verdict).toBe('inconclusive');
    expect(judgeWith('1', [sample(1082, 1160, 'throttled')]).verdict).toBe('inconclusive');
    expect(judgeWith('2', [sample(1500, 1580, 'throttled')]).reason).toBe(
      'Retry-After said 2 s: no answered request shows whether that was enough',
    );
  });

  test('is not kept by a request that passed too early', () => {
    expect(judgeWith('1', [sample(500, 580, 'admitted')]).verdict).toBe('inconclusive');
  });

  test.each<Admission>(['admitted', 'unknown'])(
    'is longer by the refill of each %s request that may have come in between',
    (outcome) => {
      const between = [sample(300, 380, outcome), sample(310, 390, outcome)];
      const early = judgeWith('1', [...between, sample(1100, 1180, 'throttled')]);
      expect(early).toMatchObject({ verdict: 'inconclusive' });
      expect(judgeWith('1', [...between, sample(1290, 1370, 'throttled')]).verdict).toBe('broken');
    },
  );

  test('does not depend on requests decided before the 429, on other 429s, or on later ones', () => {
    const others = [sample(-90, -10, 'admitted'), sample(10, 90, 'throttled'), sample(2000, 2080, 'admitted')];
    expect(judgeWith('1', [...others, sample(1085, 1160, 'throttled')]).verdict).toBe('broken');
  });

  test('counts a request that was under way together with the 429', () => {
    const together = sample(10, 50, 'admitted');
    expect(judgeWith('1', [together, sample(1085, 1160, 'throttled')]).verdict).toBe('inconclusive');
    expect(judgeWith('1', [together, sample(1190, 1260, 'throttled')]).verdict).toBe('broken');
  });

  test('still counts a time-out from before the 429, which may arrive late', () => {
    expect(judgeWith('1', [sample(-90, -10, 'unknown'), sample(1085, 1160, 'throttled')]).verdict).toBe('inconclusive');
  });

  test('cannot be judged when a whole burst may have come in between', () => {
    const volley = Array.from({ length: 20 }, () => sample(0, 80, 'admitted'));
    expect(judgeWith('1', [...volley, sample(60_000, 60_080, 'throttled')]).verdict).toBe('inconclusive');
    expect(judgeWith('1', [...volley.slice(1), sample(60_000, 60_080, 'throttled')]).verdict).toBe('broken');
  });

  test('waits out the refill tick where one is declared', () => {
    const ticking = { ...limit, tick: 500 };
    const others = [sample(300, 380, 'admitted'), sample(1300, 1380, 'throttled')];
    expect(judgeRetryAfter({ value: '1', throttled, others, limit }).verdict).toBe('broken');
    expect(judgeRetryAfter({ value: '1', throttled, others, limit: ticking }).verdict).toBe('inconclusive');
  });
});
