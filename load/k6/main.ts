import type { Options } from 'k6/options';
import { nearby, neverReached, without } from '../../spec/upload-destination.ts';
import { requestTimeoutMs } from '../run-file.ts';
import { type FlowPlan, scenarioPlan } from '../scenarios.ts';
import { labelJourney } from './label-journey.ts';
import { limitJourney } from './limit-journey.ts';
import { guarded, type Journey, run } from './run.ts';
import { uploadJourney } from './upload-journey.ts';

// What k6 starts, with the variable RUN: the path of a run file.

const flows: Readonly<Record<FlowPlan['name'], (plan: FlowPlan) => Journey>> = {
  labels: labelJourney,
  upload: uploadJourney,
};

const plan = scenarioPlan(run.scenario);
if (plan === undefined) throw new Error(`there is no scenario ${run.scenario}`);
const journey = plan.kind === 'limit' ? limitJourney(plan) : flows[plan.name](plan);

/** Room for slow answers and a long Retry-After beyond the planned length, in seconds. */
const slack = 600;

/** k6's options of the scenario: connections that stay open, and no thresholds, because the raw output is judged afterwards. */
export const options: Options = {
  scenarios: {
    [plan.name]: {
      executor: 'per-vu-iterations',
      vus: journey.vus,
      iterations: 1,
      maxDuration: `${Math.ceil(run.plannedSeconds) + slack}s`,
      gracefulStop: `${Math.ceil(requestTimeoutMs / 1000) + 5}s`,
    },
  },
  // Go sends a GET again, and says nothing, when a connection dies that was used before: the limiter would count two where we
  // see one. A connection of its own for each request is never used before. The many keys of a fleet can't afford that.
  noConnectionReuse: plan.kind === 'limit' && plan.keys !== 'all',
  // k6 keeps as many idle connections as a batch may have, and six per host without this: a volley would start cold.
  batch: 500,
  batchPerHost: 500,
  // No `url`: an upload URL carries a signature. `name` is the operationId.
  systemTags: ['status', 'error_code', 'method', 'name', 'scenario'],
  userAgent: 'partnerkit-load',
  tlsAuth: run.tls === undefined ? [] : [run.tls],
  // An upload URL is what a reply says. What is near is for a deployment that is near itself, but for the proxy that leads out.
  blacklistIPs: [...neverReached, ...(plan.name === 'upload' && !run.near ? run.proxies.reduce(without, nearby) : [])],
};

// k6 refuses an export whose value is undefined, although the export may be missing.
const nothing = async () => {};
export const { teardown = nothing } = journey;
export const setup = guarded(journey.setup ?? nothing);
export default guarded(journey.drive);
