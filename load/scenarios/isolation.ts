import type { LimitPlan } from '../plan/scenario-plan.ts';

export const isolation: LimitPlan = {
  kind: 'limit',
  name: 'isolation',
  summary: 'one key overloaded while another runs at half its rate: the other one is not touched',
  rules: ['limiter/own-bucket-per-key', 'limiter/over-the-rate-is-429'],
  keys: 'pair',
  seconds: 30,
  mustShow: {},
  phases: ({ perSecond }, seconds, position) => [
    { kind: 'steady', perSecond: (position === 0 ? 1.5 : 0.5) * perSecond, seconds },
  ],
};
