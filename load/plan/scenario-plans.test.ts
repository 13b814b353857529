import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isRuleId, rulesFor } from '../../spec/rules.ts';
import { plannedTraffic, sendTimes } from './planned-traffic.ts';
import { describeTraffic } from './refusals.ts';
import { volleySize } from './scenario-plan.ts';
import { scenarioPlan, scenarioPlans } from './scenario-plans.ts';

const limit = { perSecond: 10, burst: 20 };

describe('the scenarios', () => {
  test.each(scenarioPlans)('$name has a journey of that name and names rules that exist', ({ name, rules }) => {
    expect(existsSync(new URL(`../scenarios/${name}.ts`, import.meta.url))).toBe(true);
    expect(rules.filter((rule) => !isRuleId(rule))).toEqual([]);
  });

  test('judge every rule that load verifies', () => {
    const judged = new Set<string>(scenarioPlans.flatMap(({ rules }) => rules));
    expect(rulesFor('load').filter(({ id }) => !judged.has(id))).toEqual([]);
  });

  test.each<[string, number, number, string]>([
    ['paced', 601, 0, '601 requests with 1 key, at most 10 in one second, about 63 s'],
    [
      'burst',
      41,
      40,
      '41 requests (and 40 without a key, to open connections) with 1 key, at most 40 in one second, about 3 s',
    ],
    [
      'overload',
      941,
      40,
      '941 requests (and 40 without a key, to open connections) with 1 key, at most 55 in one second, about 63 s',
    ],
  ])('%s sends what it says', (name, requests, warming, words) => {
    const plan = scenarioPlan(name);
    if (plan === undefined) throw new Error(name);
    const traffic = plannedTraffic(plan, [limit]);
    expect(traffic).toMatchObject({ requests, warming });
    expect(describeTraffic(traffic)).toBe(words);
  });

  test('follow the limit of their key', () => {
    const plan = scenarioPlan('overload');
    if (plan === undefined) throw new Error('overload');
    expect(plannedTraffic(plan, [{ perSecond: 100, burst: 50 }], 10)).toMatchObject({
      requests: 1691,
      peakPerSecond: 340,
    });
    expect(volleySize(limit)).toBe(40);
    expect(volleySize({ perSecond: 100, burst: 20 })).toBe(153);
  });

  test('a pair loads its first key only', () => {
    const plan = scenarioPlan('isolation');
    if (plan?.kind !== 'limit') throw new Error('isolation');
    const rates = [0, 1].map((position) => sendTimes(plan.phases(limit, 10, position)).times.length);
    expect(rates).toEqual([150, 50]);
  });
});
