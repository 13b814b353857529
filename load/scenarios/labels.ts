import type { Limit } from '../../spec/limiter/limit.ts';
import type { FlowPlan } from '../plan/scenario-plan.ts';

/** VUs that fire together once a second: six tenths of the key's rate, and never more than half of its burst. */
export const labelVus = ({ perSecond, burst }: Limit): number =>
  Math.max(2, Math.min(Math.floor(0.6 * perSecond), Math.floor(burst / 2), 20));

/** Kinds of objects that may carry a label, each read once before and settled with three requests after. */
const objects = 3;

export const labels: FlowPlan = {
  kind: 'flow',
  name: 'labels',
  summary: 'the same label applied and removed by many VUs at once: every reply and the end state are right',
  rules: [
    'labels/membership-is-a-set',
    'labels/apply-adds',
    'labels/apply-is-idempotent',
    'labels/remove-removes',
    'labels/remove-is-idempotent',
  ],
  seconds: 20,
  traffic: (limit, seconds) => ({
    requests: Math.floor(seconds) * labelVus(limit) + 4 * objects,
    peakPerSecond: labelVus(limit) + objects,
  }),
  leftovers: false,
};
