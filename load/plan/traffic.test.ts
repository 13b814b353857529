import { expect, test } from 'vitest';
import type { ScenarioPlan } from '../scenarios.ts';
import { scenarioPlan } from '../scenarios.ts';
import { defaultAllowance, isLoopback, plannedTraffic, refusals } from './traffic.ts';

const limit = { perSecond: 10, burst: 20 };
const planOf = (name: string): ScenarioPlan => {
  const plan = scenarioPlan(name);
  if (plan === undefined) throw new Error(name);
  return plan;
};
const refused = (name: string, baseUrl: string, allowed = {}) =>
  refusals(planOf(name), plannedTraffic(planOf(name), [limit]), baseUrl, { ...defaultAllowance, ...allowed });

test.each(['localhost', 'api.localhost', '127.0.0.1', '127.8.9.10', '[::1]'])('%s is this machine', (host) => {
  expect(isLoopback(new URL(`http://${host}:4010/base`).hostname)).toBe(true);
});

test.each(['localhost.example.com', '127.0.0.1.example.com', '10.0.0.1', '[::2]', 'mylocalhost', '128.0.0.1'])(
  '%s is not',
  (host) => {
    expect(isLoopback(new URL(`https://${host}`).hostname)).toBe(false);
  },
);

test('allows a run against this machine within the default limits', () => {
  for (const name of ['paced', 'burst', 'recover', 'refill', 'overload', 'labels'])
    expect(refused(name, 'http://localhost:4010')).toEqual([]);
});

test('says in every refusal how to allow the run', () => {
  expect(refused('overload', 'https://connect.example.com', { maxRps: 14, maxRequests: 900 })).toEqual([
    expect.stringContaining('--max-rps 79'),
    expect.stringContaining('--max-requests 971'),
    'connect.example.com is not this machine; say --yes when you may load it',
  ]);
  expect(refused('overload', 'https://connect.example.com', { yes: true })).toEqual([]);
  expect(refused('upload', 'http://127.0.0.1')).toEqual([expect.stringContaining('--allow-leftovers')]);
  expect(refused('upload', 'http://127.0.0.1', { allowLeftovers: true })).toEqual([]);
  expect(refused('soak', 'http://127.0.0.1')).toEqual([expect.stringContaining('--max-requests')]);
});
