import { expect, test } from 'vitest';
import { describeJudgement } from './describe-judgement.ts';
import { judge } from './judge.ts';
import { bucketModel, type LimiterModel, takingWhenThrottled, wrongLimiters } from './proof/limiters.ts';
import { type Network, networks, plans, simulate } from './proof/simulate.ts';

const said = (model: LimiterModel, plan: keyof typeof plans, network: Network = networks['80 ms']) =>
  describeJudgement(judge({ perSecond: 10, burst: 20 }, simulate(plans[plan], network, model, 1)));
const VOLLEY = 'volley, then overload';

test.each<[string, LimiterModel, keyof typeof plans, string]>([
  ['the contract', bucketModel(10, 20), VOLLEY, 'admits 10.0 rps, burst 20: keeps the contract'],
  ['12.1 rps', bucketModel(12.1, 20), VOLLEY, 'admits 12.1 rps: too lax by 21%'],
  ['8 rps', bucketModel(8, 20), VOLLEY, 'admits 8.0 rps: too strict by 20%'],
  ['burst 40', bucketModel(10, 40), VOLLEY, 'burst 40 instead of at most 31: too lax by 29%'],
  ['burst 15', bucketModel(10, 15), VOLLEY, 'burst 15 instead of 20: too strict by 25%'],
  ['both', bucketModel(8, 15), VOLLEY, 'admits 8.0 rps: too strict by 20%; burst 15 instead of 20: too strict by 25%'],
  ['a rate above the load', bucketModel(20, 20), VOLLEY, 'admits at least 14.9 rps: too lax by at least 49%'],
  [
    'a bucket that rejections empty',
    takingWhenThrottled,
    'steady overload',
    'cannot tell: the limiter lets throttled requests take tokens too, so that an overloaded key gets next to nothing; this run could not show a rate too low by 20%',
  ],
  [
    'no limiter',
    wrongLimiters['no limiter'],
    'steady overload',
    'throttles nothing: 900 admitted within 60.02 s (from 0.00 s), where the most generous reading allows 631',
  ],
])('%s in a sentence', (_, model, plan, sentence) => {
  expect(said(model, plan)).toBe(sentence);
});

test('says only what can be seen through the network', () => {
  const jittered = networks['400 ms, heavy jitter'];
  expect(said(bucketModel(10, 20), VOLLEY, jittered)).toMatch(
    /^admits at least 9\.\d rps, burst \d+ to \d+: keeps the contract$/,
  );
  expect(said(bucketModel(8, 20), VOLLEY, jittered)).toMatch(
    /^admits at most [89]\.\d rps: too strict by at least \d+%$/,
  );
});

test('does not say that a slow server within the limit holds requests back', () => {
  const slow = Array.from({ length: 300 }, (_, i) => ({
    sentAt: i * 111,
    doneAt: i * 111 + (i % 3) * 900,
    status: 200,
  }));
  expect(describeJudgement(judge({ perSecond: 10, burst: 20 }, slow))).toMatch(/^cannot tell: nothing wrong was seen/);
});

test('says why it cannot tell', () => {
  expect(said(bucketModel(10, 20), 'modest')).toMatch(
    /^cannot tell: nothing wrong was seen; this run could not show a rate too low by 20%/,
  );
});

test('says when no request is admitted, and when the admitted ones follow no bucket', () => {
  expect(said({ make: () => () => false }, 'modest')).toMatch(/^admits nothing: too strict, a 429 at \d+\.\d\d s/);
  expect(said(wrongLimiters['fixed windows of 10'], VOLLEY, networks['0 ms'])).toMatch(/^too strict: a 429 at /);
});

// A client in batches sees a bucket open and shut with its own rhythm.
const batches = Array.from({ length: 800 }, (_, i) => Math.floor(i / 20) * 1000 + (i % 20) * 15);
test.each<[string, LimiterModel, string]>([
  ['burst 40', bucketModel(10, 40), 'burst 40 instead of at most 31: too lax by 29%'],
  ['11 rps', bucketModel(11, 20), 'admits 11.0 rps: too lax by 10%'],
  ['burst 15', bucketModel(10, 15), 'burst 15 instead of 20: too strict by 25%'],
])('names no other kind of limiter where a bucket explains all: %s', (_, model, sentence) => {
  expect(describeJudgement(judge({ perSecond: 10, burst: 20 }, simulate(batches, networks['0 ms'], model, 1)))).toBe(
    sentence,
  );
});

test('gives counts for a pass without measured figures', () => {
  const once = [{ sentAt: 0, doneAt: 1, status: 200 }];
  const judgement = judge({ perSecond: 10, burst: 20 }, once, { mustShow: {} });
  expect(describeJudgement({ ...judgement, measured: { ...judgement.measured, burst: judgement.measured.rate } })).toBe(
    'admits 1 of 1 requests: keeps the contract',
  );
});

test('gives counts for requests that were never throttled', () => {
  const times = Array.from({ length: 300 }, (_, index) => index * 111);
  const samples = simulate(times, networks['0 ms'], bucketModel(10, 20), 1);
  const judgement = judge({ perSecond: 10, burst: 20 }, samples, { mustShow: {} });
  expect(describeJudgement(judgement)).toBe('admits 300 of 300 requests: keeps the contract');
});
