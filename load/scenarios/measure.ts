import { measurement } from '../../spec/limiter/measurement.ts';
import type { LimitPlan } from '../plan/scenario-plan.ts';

export const measure: LimitPlan = {
  kind: 'limit',
  name: 'measure',
  summary:
    'volleys around the edges of windows, overload, a wait for Retry-After, then the rate: all that conformance sends too',
  rules: [
    'limiter/steady-rate',
    'limiter/burst',
    'limiter/burst-reading',
    'limiter/clustering-gains-nothing',
    'limiter/over-the-rate-is-429',
    'limiter/429-has-retry-after',
    'limiter/429-body-is-one-message',
    'limiter/waiting-retry-after-suffices',
  ],
  keys: 'one',
  mustShow: { slower: 0.2, faster: 0.2, smallerBurst: 0.25, largerBurst: 0.25 },
  phases: (limit) => measurement(limit).flatMap(({ phases }) => phases),
};
