import { type LimitPlan, restSeconds, volleySize } from '../plan/scenario-plan.ts';

export const refill: LimitPlan = {
  kind: 'limit',
  name: 'refill',
  summary: 'volleys after one idle second and after a full rest: idle time gives back the burst, and no more',
  rules: ['limiter/burst', 'limiter/steady-rate', 'limiter/over-the-rate-is-429', 'limiter/clustering-gains-nothing'],
  keys: 'one',
  mustShow: { smallerBurst: 0.25, largerBurst: 0.25 },
  phases: (limit) => {
    const volley = { kind: 'volley', requests: volleySize(limit) } as const;
    const rest = { kind: 'idle', seconds: restSeconds(limit) } as const;
    return [volley, { kind: 'idle', seconds: 1 }, volley, rest, volley, rest, volley];
  },
};
