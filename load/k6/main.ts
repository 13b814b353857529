import type { FlowPlan } from '../plan/scenario-plan.ts';
import { scenarioPlan, scenarioPlans } from '../scenarios/all.ts';
import { abort } from './flow.ts';
import type { Journey } from './journey.ts';
import { labelJourney } from './label-journey.ts';
import { limitJourney } from './limit-journey.ts';
import { uploadJourney } from './upload-journey.ts';

// What k6 starts: `k6 run -e SCENARIO=overload -e TARGET=target.json load/k6/main.ts`.

const flows: Readonly<Record<FlowPlan['name'], () => Journey>> = { labels: labelJourney, upload: uploadJourney };

const plan = scenarioPlan(__ENV.SCENARIO ?? '');
if (plan === undefined)
  throw new Error(`-e SCENARIO=: give one of ${scenarioPlans.map(({ name }) => name).join(', ')}`);
const journey = plan.kind === 'limit' ? limitJourney(plan) : flows[plan.name]();

// k6 refuses an export whose value is undefined, although the export may be missing.
const nothing = async () => {};
export const { options, setup = nothing, teardown = nothing } = journey;
// k6 only logs a rejected promise and then ends with success, so the error must be thrown here.
export default (before: unknown): Promise<void> =>
  journey.drive(before).catch((error: unknown) => abort(error instanceof Error ? error.message : String(error)));
