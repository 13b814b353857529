import type { LimitPlan } from '../plan/scenario-plan.ts';

export const overload: LimitPlan = {
  kind: 'limit',
  name: 'overload',
  summary: 'one and a half times the declared rate: the declared rate is admitted, not less and not more',
  rules: [
    'limiter/steady-rate',
    'limiter/clustering-gains-nothing',
    'limiter/over-the-rate-is-429',
    'limiter/429-has-retry-after',
    'limiter/429-body-is-one-message',
  ],
  keys: 'one',
  seconds: 60,
  mustShow: { slower: 0.2, faster: 0.2 },
  phases: ({ perSecond }, seconds) => [{ kind: 'steady', perSecond: 1.5 * perSecond, seconds }],
};
