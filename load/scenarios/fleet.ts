import type { LimitPlan } from '../plan/scenario-plan.ts';

export const fleet: LimitPlan = {
  kind: 'limit',
  name: 'fleet',
  summary: 'every key at nine tenths of its rate at the same time: none may be throttled',
  rules: ['limiter/steady-rate', 'limiter/own-bucket-per-key'],
  keys: 'all',
  seconds: 60,
  mustShow: { slower: 0.2 },
  phases: ({ perSecond }, seconds) => [{ kind: 'steady', perSecond: 0.9 * perSecond, seconds }],
};
