import { type LimitPlan, type Phase, restSeconds, volleySize } from '../plan/scenario-plan.ts';

const trials = 3;

export const recover: LimitPlan = {
  kind: 'limit',
  name: 'recover',
  summary: 'an exhausted key waits for Retry-After and asks once more: it must pass; the 429 must be well-formed',
  rules: [
    'limiter/waiting-retry-after-suffices',
    'limiter/over-the-rate-is-429',
    'limiter/429-has-retry-after',
    'limiter/429-body-is-one-message',
  ],
  keys: 'one',
  mustShow: {},
  phases: (limit) =>
    Array.from({ length: trials }, (): readonly Phase[] => [
      { kind: 'volley', requests: volleySize(limit) },
      // Several, because on a slow network the bucket has a token again by the time the volley's answers are here.
      { kind: 'ask', requests: Math.ceil(limit.burst / 2) },
      { kind: 'idle', seconds: restSeconds(limit) },
    ]).flat(),
};
