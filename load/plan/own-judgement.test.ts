import { expect, test } from 'vitest';
import type { Observation } from '../../spec/limiter/observation.ts';
import { bucketModel } from '../../spec/limiter/proof/simulation/limiters.ts';
import { samplesOf } from '../proof/simulated-raw.ts';
import { scenarioPlan } from '../scenarios/all.ts';
import { ownJudgement } from './own-judgement.ts';

const limit = { perSecond: 10, burst: 20 };

function judged(name: string, samples: readonly Observation[]) {
  const plan = scenarioPlan(name);
  if (plan?.kind !== 'limit') throw new Error(name);
  const own = ownJudgement(plan, limit);
  for (const sample of samples) own.keep(sample);
  return own.end();
}

test.each<[string, number, number, number, string]>([
  ['overload', 10, 20, 60, 'pass'],
  ['overload', 12, 20, 60, 'too-lax'],
  ['fleet', 10, 20, 60, 'pass'],
  ['fleet', 10, 20, 5, 'inconclusive'],
  ['fleet', 8, 20, 60, 'too-strict'],
  // Pacing shows the rate and only the volley at the end the burst: neither piece alone is enough.
  ['soak', 10, 20, 3600, 'pass'],
  ['soak', 10, 60, 3600, 'too-lax'],
  ['soak', 8, 20, 3600, 'too-strict'],
])('%s of a bucket with %i rps, burst %i, for %i s: %s', (name, rate, burst, seconds, verdict) => {
  expect(judged(name, samplesOf(name, bucketModel(rate, burst), { seconds }))?.verdict).toBe(verdict);
});

test('finds a limiter that stops counting for a while in the middle of an hour', () => {
  const samples = samplesOf('soak', bucketModel(10, 20), { seconds: 3600 }).map(
    (sample): Observation =>
      sample.sentAt > 1_000_000 && sample.sentAt < 1_001_000 ? { ...sample, status: 429 } : sample,
  );
  expect(judged('soak', samples)?.verdict).toBe('too-strict');
});

test('gives no judgement without samples', () => {
  expect(judged('fleet', [])).toBeUndefined();
});
