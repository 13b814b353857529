import { expect, it } from 'vitest';
import { type Arrival, explainedLimiter } from './explained-limiter.ts';

/** Whether each request passes that was sent at a time and took some milliseconds, `x` for those that were throttled. */
function decisions(
  limit: { perSecond: number; burst: number },
  ...requests: (readonly [at: number, took: number, 'x'?])[]
) {
  let arrival: Arrival | null = null;
  const limiter = explainedLimiter(limit, () => arrival);
  return requests.map(([sentAt, took, throttled]) => {
    arrival = { sentAt, doneAt: sentAt + took, throttled: throttled === 'x' };
    return limiter.take(sentAt) === 0;
  });
}
const limit = { perSecond: 10, burst: 2 };

it('decides as was recorded where a network explains it', () => {
  // The third may have arrived when one token was back.
  expect(decisions(limit, [0, 0], [0, 0], [0, 100])).toEqual([true, true, true]);
  expect(decisions(limit, [0, 0], [0, 0], [0, 90, 'x'])).toEqual([true, true, false]);
  // The first two may have arrived late, so that the bucket was empty.
  expect(decisions(limit, [0, 200], [0, 200], [150, 20, 'x'])).toEqual([true, true, false]);
});

it('decides as the bucket does where none explains it', () => {
  expect(decisions(limit, [0, 0], [0, 0], [0, 50])).toEqual([true, true, false]);
  expect(decisions(limit, [0, 0], [0, 0], [200, 0, 'x'])).toEqual([true, true, true]);
});

it('counts no difference again in what follows', () => {
  expect(decisions(limit, [0, 0], [0, 0], [0, 0], [100, 0])).toEqual([true, true, false, true]);
});
