import { describe, expect, it } from 'vitest';
import { createBucket } from '../mock/keys/bucket.ts';
import type { Check } from './check.ts';
import { checks } from './checks/index.ts';
import type { Exchange } from './evidence.ts';
import { type Around, withKey } from './proof/around.ts';
import { oddities, runVirtually, type VirtualRun } from './proof/run-virtually.ts';

/** A run with the requests of the limiter's key and of all others, in the order of sending. */
async function observed(options: VirtualRun = {}) {
  const sent: { exchange: Exchange; check: Check | null }[] = [];
  const record = await runVirtually(checks, {
    ...options,
    mock: { latency: () => 40, ...options.mock },
    onExchange: (exchange, check) => sent.push({ exchange, check }),
  });
  const measuring = sent.filter(({ check }) => check?.id === 'limiter/steady-rate').map(({ exchange }) => exchange);
  const functional = sent.filter(({ check }) => check?.after === undefined).map(({ exchange }) => exchange);
  const first = (those: readonly Exchange[]) => Math.min(...those.map(({ sentAt }) => sentAt));
  const last = (those: readonly Exchange[]) => Math.max(...those.map(({ doneAt }) => doneAt));
  return { record, beside: first(measuring) < last(functional), timesMeasured: measuring.length / 900 };
}

const throttled = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  body: JSON.stringify({ message: 'Too Many Requests' }),
};

/** One bucket for all keys together. */
const oneBucket: Around = (handle, mock) => {
  const bucket = createBucket({ perSecond: 10, burst: 20 });
  return async (request, trace) => (bucket.take(mock.clock.now()) > 0 ? throttled : handle(request, trace));
};

/** The key that is kept for limits is throttled as well when all keys together are served more than this. */
const sensitive: Around = (handle, mock) => {
  const bucket = createBucket({ perSecond: 14, burst: 40 });
  const isKept = withKey('acmelimt-fake-secret-0000000000000004');
  return async (request, trace) => {
    const reply = await handle(request, trace);
    const over = reply.status !== 429 && bucket.take(mock.clock.now()) > 0;
    return over && isKept(request) ? throttled : reply;
  };
};

describe('the limiter', () => {
  it('is measured once, while other checks are under way, when every key has a bucket of its own', async () => {
    const { record, beside, timesMeasured } = await observed({ slow: true });
    expect(oddities(record)).toEqual([]);
    expect(beside).toBe(true);
    expect(timesMeasured).toBeCloseTo(1, 1);
    expect(record.limiter?.judgement.verdict).toBe('pass');
  });

  it('is measured last where keys share a bucket, so that it disturbs nobody', async () => {
    const { record, beside } = await observed({ mock: { around: oneBucket } });
    expect(beside).toBe(false);
    const outcomes = new Map(record.results.map(({ id, outcome }) => [id, outcome]));
    expect(outcomes.get('limiter/own-bucket')).toBe('fail');
    expect(outcomes.get('limiter/steady-rate')).toBe('pass');
  });

  it('is measured again, alone, when it looks wrong beside others: that may be their doing', async () => {
    const { record, timesMeasured } = await observed({ mock: { around: sensitive } });
    expect(oddities(record).filter((odd) => odd.includes('limiter/'))).toEqual([]);
    expect(record.limiter?.judgement.verdict).toBe('pass');
    expect(timesMeasured).toBeCloseTo(2, 1);
  });

  it.each<[string, VirtualRun]>([
    ['there is a budget', { budget: 5000 }],
    ['the run is to end with the first failure', { failFast: true }],
    ['nothing shows that keys have buckets of their own', { skip: ['limiter/own-bucket'] }],
  ])('is measured last where %s', async (_, options) => {
    const { record, beside } = await observed(options);
    expect(beside).toBe(false);
    expect(oddities(record).filter((odd) => !odd.startsWith('not-selected'))).toEqual([]);
  });
});
