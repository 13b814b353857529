import { expect, test } from 'vitest';
import { sendTimes } from '../../spec/limiter/measurement.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import { bucketModel } from '../../spec/limiter/proof/limiters.ts';
import { networks, simulate } from '../../spec/limiter/proof/simulate.ts';
import { limitPlanOf, rawOf, rawPoint, samplesOf, simulatedStart } from '../proof/simulated-raw.ts';
import { judgeRun } from './judge-run.ts';
import { createRawReader, createRawRun } from './recording.ts';

const limit = { perSecond: 10, burst: 20 };

function verdictOn(name: string, ...raws: string[]) {
  const run = createRawRun();
  raws.forEach((raw, index) => {
    const reader = createRawReader(run, `${index}.json`);
    reader.push(raw);
    reader.end();
  });
  return judgeRun(run, limitPlanOf(name));
}

test.each<[string, number, number, string, string]>([
  ['overload', 10, 20, 'keeps', 'admits 10.0 rps, burst 20: keeps the contract'],
  ['overload', 12, 20, 'breaks', 'admits 12.0 rps: too lax by 20%'],
  ['overload', 8, 20, 'breaks', 'admits 8.0 rps: too strict by 20%'],
  ['paced', 10, 20, 'keeps', 'admits all 600 requests, none throttled: keeps the contract'],
  ['burst', 10, 15, 'breaks', 'burst 15 instead of 20: too strict by 25%'],
])('%s of a bucket with %i rps, burst %i: %s, %s', (name, rate, burst, outcome, sentence) => {
  const raw = rawOf(name, 'acme/limits', samplesOf(name, bucketModel(rate, burst)));
  expect(verdictOn(name, raw)).toMatchObject({ outcome, sentence });
});

test('gives no verdict on a run that stopped early, whatever its last 429s are', () => {
  const samples = samplesOf('overload', bucketModel(10, 20));
  // Answers to admitted requests that a killed k6 never wrote down would have excused what follows.
  const lost = samples.slice(0, 300).filter(({ status, sentAt }) => status === 429 || sentAt < 14_000);
  const { outcome, sentence } = verdictOn('overload', rawOf('overload', 'a', lost, { ended: false }));
  expect(outcome).toBe('cannot-tell');
  expect(sentence).toContain('a was not driven to its end');
});

test('does not blame the limiter of a server that dies half-way', () => {
  const samples = samplesOf('overload', bucketModel(10, 20)).map(
    (sample): Observation => (sample.sentAt > 30_000 ? { ...sample, status: 0 } : sample),
  );
  const { outcome, sentence } = verdictOn('overload', rawOf('overload', 'a', samples));
  expect(outcome).toBe('cannot-tell');
  expect(sentence).toMatch(/^\d+ of 964 requests got no answer/);
});

test('does not call a restarted limiter too lax', () => {
  const times = sendTimes(limitPlanOf('overload').phases(limit, 30, 0)).times.map((at) => at * 1000);
  const half = (seed: number) => simulate(times, networks['0 ms'], bucketModel(10, 30), seed);
  const down: Observation = { sentAt: 30_500, doneAt: 30_600, status: 0 };
  const later = half(2).map((sample) => ({
    ...sample,
    sentAt: sample.sentAt + 31_000,
    doneAt: sample.doneAt + 31_000,
  }));
  const { outcome, sentence } = verdictOn('overload', rawOf('overload', 'a', [...half(1), down, ...later]));
  expect(outcome).toBe('cannot-tell');
  expect(sentence).toContain('a limiter that was restarted has forgotten');
});

test('names a bucket that two keys share', () => {
  const both = [0, 1].flatMap((position) =>
    sendTimes(limitPlanOf('isolation').phases(limit, 30, position)).times.map((at) => ({
      at: at * 1000 + position * 20,
      position,
    })),
  );
  both.sort((a, b) => a.at - b.at);
  const samples = simulate(
    both.map(({ at }) => at),
    networks['0 ms'],
    bucketModel(10, 20),
    1,
  );
  const owned = (position: number) =>
    samples.filter(({ sentAt }) => both.find(({ at }) => at === sentAt)?.position === position);
  const raws = [0, 1].map((position) => rawOf('isolation', `acme/${position}`, owned(position), { position }));
  const { outcome, sentence } = verdictOn('isolation', ...raws);
  expect(outcome).toBe('breaks');
  expect(sentence).toMatch(
    /^acme\/0 and acme\/1 share one bucket: together they are admitted (9\.\d|10\.\d) rps.*limiter\/own-bucket-per-key$/,
  );
});

test('finds no shared bucket where each key has its own', () => {
  const raws = [0, 1].map((position) =>
    rawOf('isolation', `acme/${position}`, samplesOf('isolation', bucketModel(10, 20), { position, seconds: 30 }), {
      position,
    }),
  );
  expect(verdictOn('isolation', ...raws)).toMatchObject({
    outcome: 'keeps',
    sentence: expect.stringMatching(/acme\/1 untouched \(0 of 150 throttled\): keeps the contract/),
  });
});

test('judges files of the same key together', () => {
  const samples = samplesOf('overload', bucketModel(12, 20));
  const [first, second] = [samples.slice(0, 150), samples.slice(150)];
  expect(verdictOn('overload', rawOf('overload', 'a', first)).outcome).not.toBe('keeps');
  expect(verdictOn('overload', rawOf('overload', 'a', first), rawOf('overload', 'a', second)).sentence).toBe(
    'admits 12.0 rps: too lax by 20%',
  );
});

test('reports a malformed 429 and a plan that was not kept', () => {
  const raw = rawOf('overload', 'a', samplesOf('overload', bucketModel(10, 20)));
  const bad = rawPoint('load_malformed_429', simulatedStart, 1, {
    key: 'a',
    rule: 'limiter/429-has-retry-after',
    seen: 'no Retry-After',
  });
  expect(verdictOn('overload', `${raw}\n${bad}`)).toMatchObject({
    outcome: 'breaks',
    sentence: expect.stringMatching(/^1 replies 429 have no Retry-After: breaks limiter\/429-has-retry-after$/),
  });
  expect(verdictOn('overload', `${raw}\n${rawPoint('load_dropped', simulatedStart, 3, {})}`)).toMatchObject({
    outcome: 'cannot-tell',
    sentence: expect.stringContaining('3 requests could not be sent in time'),
  });
});

test('gives no verdict if nothing was sent', () => {
  expect(verdictOn('overload', '')).toMatchObject({
    outcome: 'cannot-tell',
    sentence: expect.stringContaining('nothing was sent'),
  });
});

test('calls a limiter too lax that no restart explains', () => {
  const [first, ...others] = samplesOf('overload', bucketModel(15, 20));
  const lost = rawOf('overload', 'a', [...(first ? [{ ...first, status: 0 }] : []), ...others]);
  expect(verdictOn('overload', lost)).toMatchObject({ outcome: 'breaks', sentence: expect.stringMatching(/too lax/) });
});
