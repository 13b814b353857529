import { type FlowPlan, scenarioPlan } from '../scenarios.ts';
import { labelJourney } from './label-journey.ts';
import { limitJourney } from './limit-journey.ts';
import type { Journey } from './options-for.ts';
import { guarded, run } from './run.ts';
import { uploadJourney } from './upload-journey.ts';

// What k6 starts, with the variable RUN: the path of a run file.

const flows: Readonly<Record<FlowPlan['name'], (plan: FlowPlan) => Journey>> = {
  labels: labelJourney,
  upload: uploadJourney,
};

const plan = scenarioPlan(run.scenario);
if (plan === undefined) throw new Error(`there is no scenario ${run.scenario}`);
const journey = plan.kind === 'limit' ? limitJourney(plan) : flows[plan.name](plan);

// k6 refuses an export whose value is undefined, although the export may be missing.
const nothing = async () => {};
export const { options, teardown = nothing } = journey;
export const setup = guarded(journey.setup ?? nothing);
export default guarded(journey.drive);
