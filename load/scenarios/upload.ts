import type { FlowPlan } from '../plan/scenario-plan.ts';

const KB = 1024;
const MB = 1024 * KB;

/** Sizes in bytes, taken in turn; one is beyond what the API itself accepts (10 MB), one is large. */
export const uploadSizes = [KB, 100 * KB, KB, MB, 11 * MB, KB, 50 * MB, 100 * KB] as const;

/** Flows started per second: each asks twice of the key (start and register), so half of its rate is used. */
export const flowsPerSecond = (perSecond: number): number => 0.25 * perSecond;

export const upload: FlowPlan = {
  kind: 'flow',
  name: 'upload',
  summary: 'the three steps of an upload under load, files of 1 KB to 50 MB',
  rules: [
    'upload/start-is-201',
    'upload/target-file-key',
    'upload/target-url',
    'upload/put-accepts-bytes',
    'upload/file-may-exceed-10mb',
    'upload/register-takes-file-key',
  ],
  seconds: 20,
  traffic: ({ perSecond }, seconds) => ({
    requests: 1 + 2 * Math.ceil(flowsPerSecond(perSecond) * seconds),
    peakPerSecond: Math.ceil(2 * flowsPerSecond(perSecond)) + 1,
  }),
  leftovers: true,
};
