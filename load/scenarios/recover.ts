import { ask, rest } from '../../spec/limiter/measurement.ts';
import { type Phase, volley } from '../../spec/limiter/phase.ts';
import type { LimitPlan } from '../plan/scenario-plan.ts';

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
    Array.from({ length: trials }, (): readonly Phase[] => [volley(limit), ask(limit), rest(limit)]).flat(),
};
