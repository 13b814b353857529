import { rest } from '../../spec/limiter/measurement.ts';
import { volley } from '../../spec/limiter/phase.ts';
import type { LimitPlan } from '../plan/scenario-plan.ts';

export const refill: LimitPlan = {
  kind: 'limit',
  name: 'refill',
  summary: 'volleys after one idle second and after a full rest: idle time gives back the burst, and no more',
  rules: ['limiter/burst', 'limiter/steady-rate', 'limiter/over-the-rate-is-429', 'limiter/clustering-gains-nothing'],
  keys: 'one',
  mustShow: { smallerBurst: 0.25, largerBurst: 0.25 },
  phases: (limit) => [
    volley(limit),
    { kind: 'idle', seconds: 1 },
    volley(limit),
    rest(limit),
    volley(limit),
    rest(limit),
    volley(limit),
  ],
};
