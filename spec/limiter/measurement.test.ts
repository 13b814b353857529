import { describe, expect, test } from 'vitest';
import { judge } from './judge.ts';
import { type Limit, restSeconds } from './limit.ts';
import { clustering, measurement, sendTimes } from './measurement.ts';
import { bucketModel, correctLimiters, fixedWindowModel, type LimiterModel, wrongLimiters } from './proof/limiters.ts';
import { networks, simulate } from './proof/simulate.ts';

const limit: Limit = { perSecond: 10, burst: 20 };
const sent = (of: Limit) => sendTimes(measurement(of));
const judged = (model: LimiterModel, seed: number, network = networks['0 ms']) =>
  judge(
    limit,
    simulate(
      sent(limit).times.map((at) => 1000 * at),
      network,
      model,
      seed,
    ),
  );
const seeds = Array.from({ length: 12 }, (_, i) => 31 * i + 1);

test('takes less than a minute and a thousand requests of the default limit', () => {
  const { times, seconds } = sent(limit);
  expect(seconds).toBeLessThan(50);
  expect(times.length).toBeLessThan(1000);
});

test.each([limit, { perSecond: 50, burst: 100 }, { perSecond: 50, burst: 20 }, { perSecond: 1, burst: 60 }])(
  'attacks rest in between, begin thirds of a window apart and are ascending: %j',
  (of) => {
    const attack = clustering(of);
    const volleys = attack.kind === 'volleys' ? attack.volleys : [];
    const times = volleys.map(({ at }) => at);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    // The lead of the last two attacks is a pause of their own.
    expect(gaps.filter((gap) => gap >= restSeconds(of))).toHaveLength(2);
  },
);

describe('finds fixed windows of every length that keep the rate on average and the burst at once', () => {
  test.each([
    ['that begin with the clock, 20 per 2 s', 20, 2000, 'clock'],
    ['that begin with the first request, 20 per 2 s', 20, 2000, 'first'],
    ['that begin with the first request, 30 per 3 s', 30, 3000, 'first'],
  ] as const)('%s', (_, count, length, from) => {
    for (const network of [networks['0 ms'], networks['80 ms']]) {
      for (const seed of seeds)
        expect(judged(fixedWindowModel(count, length, from), seed, network).verdict).toBe('too-lax');
    }
  });
});

test('passes every correct limiter', () => {
  for (const [name, model] of Object.entries(correctLimiters))
    for (const network of [networks['0 ms'], networks['80 ms']])
      for (const seed of seeds.slice(0, 4)) expect(judged(model, seed, network).verdict, name).toBe('pass');
});

test.each(Object.keys(wrongLimiters).filter((name) => !name.includes('shared')))('catches %s', (name) => {
  const model = wrongLimiters[name as keyof typeof wrongLimiters];
  for (const seed of seeds.slice(0, 4)) expect(judged(model, seed).verdict).toMatch(/^too-/);
});

test('finds a bucket that starts empty', () => {
  const empty: LimiterModel = { make: (random) => bucketModel(10, 20, 0).make(random) };
  expect(judged(empty, 1).verdict).toBe('too-strict');
});
