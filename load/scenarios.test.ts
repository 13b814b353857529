import { describe, expect, test } from 'vitest';
import { sendTimes, volleySize } from '../spec/limiter/measurement.ts';
import { isRuleId, rulesFor } from '../spec/rules.ts';
import { describeTraffic, plannedTraffic } from './plan/traffic.ts';
import { scenarioPlan, scenarioPlans } from './scenarios.ts';

const limit = { perSecond: 10, burst: 20 };

describe('the scenarios', () => {
  test.each(scenarioPlans)('$name names rules that exist', ({ rules }) => {
    expect(rules.filter((rule) => !isRuleId(rule))).toEqual([]);
  });

  test('judge every rule that load verifies', () => {
    const judged = new Set<string>(scenarioPlans.flatMap(({ rules }) => rules));
    expect(rulesFor('load').filter(({ id }) => !judged.has(id))).toEqual([]);
  });

  test.each([
    ['paced', 'at most 607 requests with 1 key and 10 in one second, about 66 s'],
    ['burst', 'at most 71 requests with 1 key and 64 in one second, about 6 s'],
    ['overload', 'at most 971 requests with 1 key and 79 in one second, about 66 s'],
  ])('%s sends what it says', (name, words) => {
    const plan = scenarioPlan(name);
    if (plan === undefined) throw new Error(name);
    expect(describeTraffic(plannedTraffic(plan, [limit]))).toBe(words);
  });

  test('scale with the limit of their key', () => {
    const plan = scenarioPlan('overload');
    if (plan === undefined) throw new Error('overload');
    expect(plannedTraffic(plan, [{ perSecond: 100, burst: 50 }], 10)).toMatchObject({
      requests: 1811,
      peakPerSecond: 454,
    });
    expect(volleySize(limit)).toBe(64);
    expect(volleySize({ perSecond: 100, burst: 20 })).toBe(244);
  });

  test('a scenario with two keys exhausts only the first', () => {
    const plan = scenarioPlan('isolation');
    if (plan?.kind !== 'limit') throw new Error('isolation');
    const rates = [0, 1].map((position) => sendTimes(plan.phases(limit, 10, position)).times.length);
    expect(rates).toEqual([150, 50]);
  });
});
