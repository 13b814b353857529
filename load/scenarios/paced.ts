import type { LimitPlan } from '../plan/scenario-plan.ts';

export const paced: LimitPlan = {
  kind: 'limit',
  name: 'paced',
  summary: 'evenly paced at the declared rate: no request may be throttled',
  rules: ['limiter/steady-rate'],
  keys: 'one',
  seconds: 60,
  mustShow: { slower: 0.2 },
  phases: ({ perSecond }, seconds) => [{ kind: 'steady', perSecond, seconds }],
};
