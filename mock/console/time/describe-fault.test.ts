import { expect, it } from 'vitest';
import { describeEffect, describeTarget } from './describe-fault.ts';

it.each([
  [{ reply: { status: 503, retryAfter: 7 } }, 'answers 503, Retry-After 7'],
  [{ reply: { status: 429 } }, 'answers 429, Retry-After 1'],
  [{ reply: { status: 500 } }, 'answers 500'],
  [{ latency: '200ms' }, 'delays the reply by 200ms'],
  [{ latency: { median: '50ms', p99: '2s' } }, 'delays the reply by 50ms (median), 2s (99th percentile)'],
  [
    { latency: 10, drop: 'after' } as const,
    'delays the reply by 10 ms, closes the connection after the operation has run',
  ],
  [{ damage: 'malformed' } as const, 'sends a body that is not JSON'],
])('%j: %s', (spec, words) => {
  expect(describeEffect(spec)).toBe(words);
});

it('says which requests a fault affects', () => {
  expect(describeTarget({})).toBe('all requests');
  expect(describeTarget({ operationId: 'listLabels', key: 'full', probability: 0.25 })).toBe(
    'listLabels, key full, 25% of them',
  );
  expect(describeTarget({ path: '/storage/*', times: 2, lasts: '1m' })).toBe('/storage/*, the next 2, for 1m');
});
