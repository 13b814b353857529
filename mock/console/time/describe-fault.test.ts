import { expect, it } from 'vitest';
import { describeEffect, describeTarget } from './describe-fault.ts';

it.each([
  [{ reply: { status: 503, retryAfter: 7 } }, 'answers 503, Retry-After 7'],
  [{ reply: { status: 429 } }, 'answers 429, Retry-After 1'],
  [{ reply: { status: 500 } }, 'answers 500'],
  [{ latency: '200ms' }, 'holds the reply back 200ms'],
  [{ latency: { mean: 200, deviation: 50 } }, 'holds the reply back 200 ms ± 50 ms'],
  [{ latency: { median: '50ms', p99: '2s' } }, 'holds the reply back 50ms, one in a hundred 2s'],
  [
    { latency: 10, drop: 'after' } as const,
    'holds the reply back 10 ms, closes the connection after the operation has run',
  ],
  [{ damage: 'malformed' } as const, 'sends a body that is no JSON'],
])('%j: %s', (spec, words) => {
  expect(describeEffect(spec)).toBe(words);
});

it('says which requests are struck', () => {
  expect(describeTarget({})).toBe('all requests');
  expect(describeTarget({ operationId: 'listLabels', key: 'full', probability: 0.25 })).toBe(
    'listLabels, key full, 25% of them',
  );
  expect(describeTarget({ tenant: 'acme', burst: 3 })).toBe('tenant acme, 3 in a row');
  expect(describeTarget({ path: '/storage/*', times: 2, lasts: '1m' })).toBe('/storage/*, the next 2, for 1m');
});
