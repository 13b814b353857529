import { expect, it } from 'vitest';
import { type Arrival, explainedLimiter } from './explained-limiter.ts';

/** Whether each request passes that was sent at a time and took some milliseconds, `x` for those that were throttled. */
function decisions(
  limit: { perSecond: number; burst: number },
  ...requests: (readonly [at: number, took: number, 'x'?])[]
) {
  const all = requests.map(([sentAt, took, x]) => ({ sentAt, doneAt: sentAt + took, throttled: x === 'x' }));
  let i = 0;
  const limiter = explainedLimiter(limit, (): Arrival => {
    const request = all[i++];
    if (request === undefined) throw new RangeError('no more requests');
    return { request, throttled: request.throttled, passed: all.filter(({ throttled }) => !throttled) };
  });
  return requests.map(([sentAt]) => limiter.take(sentAt) === 0);
}
const limit = { perSecond: 10, burst: 2 };

it('decides as was recorded where a network explains it', () => {
  // The third may have arrived when one token was back.
  expect(decisions(limit, [0, 0], [1, 0], [2, 100])).toEqual([true, true, true]);
  expect(decisions(limit, [0, 0], [1, 0], [2, 90, 'x'])).toEqual([true, true, false]);
  // Others that were sent later may have arrived first.
  expect(decisions(limit, [0, 200, 'x'], [10, 20], [20, 20])).toEqual([false, true, true]);
  // The first two may have arrived late, so that the bucket was empty.
  expect(decisions(limit, [0, 200], [1, 200], [150, 20, 'x'])).toEqual([true, true, false]);
});

it('decides as the bucket does where none explains it', () => {
  expect(decisions(limit, [0, 0], [1, 0], [2, 50])).toEqual([true, true, false]);
  expect(decisions(limit, [0, 0], [1, 0], [250, 0, 'x'])).toEqual([true, true, true]);
});

it('counts no difference again in what follows', () => {
  expect(decisions(limit, [0, 0], [1, 0], [2, 0], [3, 0], [103, 0])).toEqual([true, true, false, false, true]);
});
