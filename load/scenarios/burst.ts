import { volley } from '../../spec/limiter/phase.ts';
import type { LimitPlan } from '../plan/scenario-plan.ts';

export const burst: LimitPlan = {
  kind: 'limit',
  name: 'burst',
  summary: 'more than two buckets hold, in one tick on warm connections: as many pass as the burst allows',
  rules: [
    'limiter/burst',
    'limiter/burst-reading',
    'limiter/over-the-rate-is-429',
    'limiter/429-has-retry-after',
    'limiter/429-body-is-one-message',
  ],
  keys: 'one',
  mustShow: { smallerBurst: 0.25, largerBurst: 0.25 },
  phases: (limit) => [volley(limit)],
};
