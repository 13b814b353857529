import { volley } from '../../spec/limiter/phase.ts';
import type { LimitPlan } from '../plan/scenario-plan.ts';

export const overload: LimitPlan = {
  kind: 'limit',
  name: 'overload',
  summary:
    'a volley, then one and a half times the declared rate: the declared rate is admitted, not less and not more',
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
  // The volley first: a bucket that is empty from the start is measured more sharply than one that runs dry under even pacing.
  phases: (limit, seconds) => [volley(limit), { kind: 'steady', perSecond: 1.5 * limit.perSecond, seconds }],
};
