import { describe, expect, it } from 'vitest';
import type { ApiReply } from '../../mock/index.ts';
import { createBucket, type Limiter, type RateLimit } from '../../mock/keys/bucket.ts';
import { parseTarget, type Target } from '../../spec/files/target.ts';
import { type Around, answer, asking, carryOut, type When, withKey } from '../proof/around.ts';
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { limiter } from './limiter.ts';

const limitsKey = 'acmelimt-fake-secret-0000000000000004';
const full = 'acmefull-fake-secret-0000000000000001';

/** A limiter from a function that says whether a request passes at an instant (ms). */
const deciding = (admits: (now: number) => boolean, wait = 1000): Limiter => ({
  take: (now) => (admits(now) ? 0 : wait),
  level: () => 0,
  limitTo: () => undefined,
  refill: () => undefined,
});

const bucket = (perSecond: number, burst: number) => () => createBucket({ perSecond, burst });

const gcra = (perSecond: number, burst: number) => () => {
  let next = Number.NEGATIVE_INFINITY;
  return deciding((now) => {
    if (Math.max(next, now) - now > (burst * 1000) / perSecond) return false;
    next = Math.max(next, now) + 1000 / perSecond;
    return true;
  }, 100);
};

const windows = (count: number, length: number, phase: number | null) => () => {
  let start = phase;
  let current = Number.NaN;
  let used = 0;
  return deciding((now) => {
    start ??= now;
    const window = Math.floor((now - start) / length);
    if (window !== current) used = 0;
    current = window;
    return ++used <= count;
  });
};

const consumingOnRefusal = () => {
  const inner = createBucket({ perSecond: 10, burst: 20 });
  let debt = 0;
  return deciding((now) => {
    if (now < debt) {
      debt = Math.min(debt + 100, now + 3000);
      return false;
    }
    const passes = inner.take(now) === 0;
    if (!passes) debt = now + 100;
    return passes;
  });
};

const measured = limiter.filter(({ id }) => !/own-bucket|throttled-write/.test(id));
const alone = (id: string) => limiter.filter((one) => one.id === id);

it('passes on the mock, and hands on what it has measured', async () => {
  const record = await runVirtually(limiter);
  expect(oddities(record)).toEqual([]);
  expect(record.limiter?.judgement.verdict).toBe('pass');
  expect(record.limiter?.samples.length).toBeGreaterThan(800);
  expect(record.profile.limits).toEqual({ reading: 'bucket-20' });
});

const rate = 'limiter/steady-rate';
const burst = 'limiter/burst';
const wrong: readonly [does: string, create: (limit: RateLimit) => Limiter, found: readonly string[]][] = [
  ['8 rps', bucket(8, 20), [rate]],
  ['9 rps', bucket(9, 20), [rate]],
  ['11 rps', bucket(11, 20), [rate]],
  ['12 rps', bucket(12, 20), [rate]],
  ['15 rps', bucket(15, 20), [rate]],
  ['burst 10', bucket(10, 10), [burst]],
  ['burst 15', bucket(10, 15), [burst]],
  ['burst 40', bucket(10, 40), [burst]],
  ['rejection consumes', consumingOnRefusal, [rate]],
  ['windows of 30 a second', windows(30, 1000, 0), []],
  ['windows of 10 a second', windows(10, 1000, 330), [burst]],
  ['windows of 20 in two seconds', windows(20, 2000, 900), ['limiter/clustering']],
  ['windows of 20 in two seconds from the first request', windows(20, 2000, null), ['limiter/clustering']],
  ['windows of 30 in three seconds', windows(30, 3000, 1700), [rate]],
  ['no limit', () => deciding(() => true), [rate, 'limiter/429']],
];

it.each(wrong)('%s is found', async (_, createLimiter, found) => {
  const latency = (random: () => number) => 38 + 4 * random();
  const record = await runVirtually(measured, { mock: { createLimiter, latency } });
  const failed = record.results.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id);
  expect(failed).toEqual(expect.arrayContaining([...found]));
  expect(failed).not.toEqual([]);
  expect(record.limiter?.judgement.verdict).toMatch(/^too-/);
});

const exponential = (random: () => number, mean: number) => -mean * Math.log(1 - random());
const networks: Readonly<Record<string, (random: () => number) => number>> = {
  '0 ms': () => 0,
  '80 ms': (random) => 38 + 4 * random(),
  '400 ms, heavy jitter': (random) => 120 + exponential(random, 80),
  'one in fifty 2 s late': (random) => (random() < 0.01 ? 2000 : 25),
};
const honest: Readonly<Record<string, (limit: RateLimit) => Limiter>> = {
  'a bucket of 20': bucket(10, 20),
  'GCRA of 20': gcra(10, 20),
  'a bucket of 30': bucket(10, 30),
  'GCRA of 30': gcra(10, 30),
};

describe.each(Object.entries(networks))('through %s', (name, latency) => {
  it.each(Object.entries(honest))('%s fails nothing', async (_, createLimiter) => {
    const record = await runVirtually(limiter, { mock: { createLimiter, latency } });
    const odd = record.results.filter(({ outcome }) => !['pass', 'observed'].includes(outcome));
    // A blurred view may leave something open; it may never prove anything.
    const mayBeOpen = name === 'one in fifty 2 s late' || name.startsWith('400');
    const wrongly = odd.filter(({ outcome }) => !(mayBeOpen && outcome === 'inconclusive'));
    expect(wrongly.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
  });
});

it.each([1, 2, 3])('fails nothing where every tenth connection drops, seed %i', async (seed) => {
  const drops = (random: () => number) => random() < 0.1;
  const record = await runVirtually(limiter, { mock: { seed, drops, latency: () => 40 }, timeout: 3000 });
  expect(record.results.filter(({ outcome }) => ['fail', 'warn', 'error'].includes(outcome))).toEqual([]);
});

/** The target file with another limit declared for the key that is kept for limits. */
const raised = (perSecond: number, held: number) => (target: Target) => {
  const copy = structuredClone(target);
  for (const key of copy.tenants[0]?.keys ?? [])
    if (key.use === 'limits') Object.assign(key.rateLimit, { perSecond, burst: held });
  return parseTarget(copy, {}, 'test');
};

describe('a key of another limit', () => {
  it.each([
    [50, 100],
    [2, 5],
    [10, 100],
  ])('of %i per second and a burst of %i passes where it has it', async (perSecond, held) => {
    const record = await runVirtually(measured, {
      mock: { createLimiter: bucket(perSecond, held), latency: () => 20 },
      describe: raised(perSecond, held),
    });
    expect(oddities(record)).toEqual([]);
  });

  it('fails where it was not raised', async () => {
    const record = await runVirtually(measured, { describe: raised(50, 100) });
    expect(finders(record)).toContain(rate);
  });
});

const is429 = (change: (reply: ApiReply) => ApiReply): Around =>
  answer(withKey(limitsKey), (reply) => (reply.status === 429 ? change(reply) : reply));
const forms: readonly [does: string, around: Around, found: string][] = [
  ['403 for 429', is429((reply) => ({ ...reply, status: 403 })), 'limiter/429'],
  ['no Retry-After', is429((reply) => ({ ...reply, headers: {} })), 'limiter/429-retry-after'],
  [
    'a date in Retry-After',
    is429((reply) => ({ ...reply, headers: { 'retry-after': 'Fri, 01 Jan 2027 00:00:00 GMT' } })),
    'limiter/429-retry-after',
  ],
  [
    'the error body',
    is429((reply) => ({ ...reply, body: '{"error":{"code":"X","message":"x"}}' })),
    'limiter/429-body',
  ],
  ['a second field', is429((reply) => ({ ...reply, body: '{"message":"slow down","code":1}' })), 'limiter/429-body'],
  ['a message that is no string', is429((reply) => ({ ...reply, body: '{"message":7}' })), 'limiter/429-body'],
  ['an array', is429((reply) => ({ ...reply, body: '["message"]' })), 'limiter/429-body'],
];

it.each(forms)('%s is found', async (_, around, found) => {
  expect(finders(await runVirtually(measured, { mock: { around } }))).toContain(found);
});

it('takes another wait and another message', async () => {
  const around = is429((reply) => ({
    ...reply,
    headers: { 'retry-after': '3' },
    body: '{"message":"Limit Exceeded"}',
  }));
  const record = await runVirtually(measured, { mock: { around } });
  expect(oddities(record)).toEqual([]);
  expect(record.profile.limits).toEqual({ reading: 'bucket-20', retryAfter: 3 });
});

it('finds a Retry-After that is too short', async () => {
  const createLimiter = () => {
    const inner = createBucket({ perSecond: 10, burst: 20 });
    let barredUntil = 0;
    return deciding((now) => {
      if (now >= barredUntil && inner.take(now) === 0) return true;
      barredUntil = now + 2500;
      return false;
    });
  };
  const record = await runVirtually(measured, { mock: { createLimiter } });
  expect(record.results.find(({ id }) => id === 'limiter/retry-after-suffices')).toMatchObject({ outcome: 'warn' });
});

describe('a bucket of its own', () => {
  const own = alone('limiter/own-bucket');
  it.each([0, 20])('is missed where two keys share one, through %i ms', async (delay) => {
    const one = createBucket({ perSecond: 10, burst: 20 });
    const record = await runVirtually(own, { mock: { createLimiter: () => one, latency: () => delay } });
    expect(finders(record)).toEqual(['limiter/own-bucket']);
  });

  it('is missed where another key drains it, but not the other way round', async () => {
    const around: Around = (handle) => async (request, trace) => {
      const fromOther: When = withKey(full);
      if (fromOther(request)) await handle({ ...request, headers: { ...request.headers, 'x-api-key': limitsKey } });
      return handle(request, trace);
    };
    expect(finders(await runVirtually(own, { mock: { around } }))).toEqual(['limiter/own-bucket']);
  });
});

describe('a throttled write', () => {
  const write = alone('limiter/throttled-write');
  it('is found where it was carried out', async () => {
    const around = carryOut((request) => withKey(limitsKey)(request) && asking(/^PUT/)(request), full);
    expect(finders(await runVirtually(write, { mock: { around } }))).toEqual(['limiter/throttled-write']);
  });
});
