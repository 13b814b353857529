import { volley } from '../../spec/limiter/phase.ts';
import type { LimitPlan } from '../plan/scenario-plan.ts';

export const soak: LimitPlan = {
  kind: 'limit',
  name: 'soak',
  summary: 'every key at nine tenths of its rate for an hour, then one volley: nothing wears off',
  rules: ['limiter/steady-rate', 'limiter/burst', 'limiter/own-bucket-per-key'],
  keys: 'all',
  seconds: 3600,
  mustShow: { slower: 0.2, largerBurst: 0.25 },
  phases: (limit, seconds) => [{ kind: 'steady', perSecond: 0.9 * limit.perSecond, seconds }, volley(limit)],
};
