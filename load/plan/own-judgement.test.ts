import { expect, test } from 'vitest';
import type { Observation } from '../../spec/limiter/observation.ts';
import { bucketModel, type LimiterModel } from '../../spec/limiter/proof/simulation/limiters.ts';
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
const of = (name: string, model: LimiterModel, seconds: number) => judged(name, samplesOf(name, model, { seconds }));

test.each<[string, LimiterModel, number, string]>([
  ['overload', bucketModel(10, 20), 60, 'pass'],
  ['overload', bucketModel(12, 20), 60, 'too-lax'],
  ['fleet', bucketModel(10, 20), 60, 'pass'],
  ['fleet', bucketModel(10, 20), 5, 'inconclusive'],
  ['fleet', bucketModel(8, 20), 60, 'too-strict'],
  // Pacing shows the rate and only the volley at the end the burst: neither piece alone is enough.
  ['soak', bucketModel(10, 20), 3600, 'pass'],
  ['soak', bucketModel(10, 60), 3600, 'too-lax'],
  ['soak', bucketModel(8, 20), 3600, 'too-strict'],
])('%s of %o for %i s: %s', (name, model, seconds, verdict) => {
  expect(of(name, model, seconds)?.verdict).toBe(verdict);
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
