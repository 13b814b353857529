import { describe, expect, test } from 'vitest';
import { sendTimes } from '../../spec/limiter/measurement.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import { bucketModel, type LimiterModel } from '../../spec/limiter/proof/limiters.ts';
import { networks, simulate } from '../../spec/limiter/proof/simulate.ts';
import { limitPlanOf, rawOf, samplesOf } from '../proof/simulated-raw.ts';
import { judgeRun, type RunVerdict } from './judge-run.ts';
import { allowSkew, createRawReader, createRawRun } from './recording.ts';

const limit = { perSecond: 10, burst: 20 };
/** Several machines' clocks: ms ahead. */
const clocks = [
  [0, 0, 0],
  [0, 2000, -2000],
  [2000, -2000, 0],
] as const;

function judged(name: string, raws: readonly string[], skewMs?: number): RunVerdict {
  const run = createRawRun();
  for (const [index, raw] of raws.entries()) {
    const reader = createRawReader(run, `${index}.json`);
    reader.push(raw);
    reader.end();
  }
  allowSkew(run, skewMs);
  return judgeRun(run, limitPlanOf(name));
}

/** What two keys of `isolation` see, of a bucket for each or of one for both. */
function pair(model: LimiterModel, shared: boolean): readonly (readonly Observation[])[] {
  const plan = (position: number) => sendTimes(limitPlanOf('isolation').phases(limit, 30, position)).times;
  if (!shared) return [0, 1].map((position) => samplesOf('isolation', model, { position, seconds: 30 }));
  const both = [0, 1].flatMap((position) => plan(position).map((at) => ({ at: at * 1000 + position * 20, position })));
  both.sort((a, b) => a.at - b.at);
  const times = both.map(({ at }) => at);
  const seen = simulate(times, networks['0 ms'], model, 1);
  const owner = new Map(both.map(({ at, position }) => [at, position]));
  return [0, 1].map((position) => seen.filter(({ sentAt }) => owner.get(sentAt) === position));
}

describe.each(clocks)('clocks that are %i, %i and %i ms ahead', (...ahead) => {
  test.each<[string, LimiterModel, boolean, string]>([
    ['a bucket each', bucketModel(10, 20), false, 'keeps'],
    ['one bucket for both', bucketModel(10, 20), true, 'breaks'],
    ['8 rps each', bucketModel(8, 20), false, 'breaks'],
    ['15 rps each', bucketModel(15, 20), false, 'breaks'],
  ])('%s: two machines with a key each say what one says', (_, model, shared, outcome) => {
    const samples = pair(model, shared);
    const raws = (clock: readonly number[]) =>
      samples.map((seen, position) =>
        rawOf('isolation', `acme/${position}`, seen, { position, aheadMs: clock[position] ?? 0 }),
      );
    const one = judged('isolation', [raws([0, 0]).join('\n')]);
    expect(one.outcome).toBe(outcome);
    expect(judged('isolation', raws(ahead)).outcome).toBe(outcome);
  });

  test.each<[string, LimiterModel, string]>([
    ['right', bucketModel(10, 20), 'cannot-tell'],
    ['the most generous right one', bucketModel(10, 31), 'cannot-tell'],
    ['12 rps', bucketModel(12, 20), 'breaks'],
    // How far clocks hide it depends on which machine's is ahead.
    ['8 rps', bucketModel(8, 20), ahead[0] === 2000 ? 'breaks' : 'cannot-tell'],
    ['2 rps and burst 5', bucketModel(2, 5), 'breaks'],
    ['burst 60', bucketModel(10, 60), 'cannot-tell'],
  ])('%s: one key that three machines drive is never called wrong when right', (_, model, outcome) => {
    const seen = samplesOf('overload', model);
    const raws = ahead.map((aheadMs, machine) =>
      rawOf(
        'overload',
        'a',
        seen.filter((_, index) => index % 3 === machine),
        { aheadMs },
      ),
    );
    expect(judged('overload', raws).outcome).toBe(outcome);
  });
});

test('takes a given skew', () => {
  const seen = samplesOf('overload', bucketModel(10, 20));
  const raws = [0, 2000].map((aheadMs, machine) =>
    rawOf(
      'overload',
      'a',
      seen.filter((_, index) => index % 2 === machine),
      { aheadMs },
    ),
  );
  // Clocks that are trusted although they are wrong: the proof is only as good as what it rests on.
  expect(judged('overload', raws, 1).outcome).toBe('breaks');
  expect(judged('overload', raws, 2000).outcome).not.toBe('breaks');
});

test('judges a single machine with a wrong clock', () => {
  const raw = rawOf('overload', 'a', samplesOf('overload', bucketModel(10, 20)), { aheadMs: 86_400_000 });
  expect(judged('overload', [raw])).toMatchObject({
    outcome: 'keeps',
    sentence: 'admits 10.0 rps, burst 20: keeps the contract',
  });
});

test("an outage that another machine saw lies where that machine's clock may have put it", () => {
  const half = (seed: number) =>
    simulate(
      sendTimes(limitPlanOf('overload').phases(limit, 30, 0)).times.map((at) => at * 1000),
      networks['0 ms'],
      bucketModel(10, 30),
      seed,
    );
  const later = half(2).map((one) => ({ ...one, sentAt: one.sentAt + 31_000, doneAt: one.doneAt + 31_000 }));
  const down: Observation = { sentAt: 30_500, doneAt: 30_600, status: 0 };
  const raws = [
    rawOf('overload', 'a', [...half(1), ...later]),
    rawOf('overload', 'b', [...samplesOf('overload', bucketModel(10, 20)).filter((one) => one.status === 200), down], {
      position: 1,
      aheadMs: 2000,
    }),
  ];
  expect(judged('overload', raws).keys[0]?.judgement).toMatchObject({ verdict: 'inconclusive' });
});
