import type { Options } from 'k6/options';
import { nearby, neverReached, without } from '../../spec/upload-destination.ts';
import { requestTimeoutMs } from '../run-file.ts';
import type { ScenarioPlan } from '../scenarios.ts';
import { run } from './run.ts';

/** What k6 runs of a scenario. `Before` is what `setup` hands on to the others; k6 carries it as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: each journey knows its own.
export interface Journey<Before = any> {
  readonly options: Options;
  setup?(): Promise<Before>;
  drive(before: Before): Promise<void>;
  /** Cleans up at the end of a run, after an interruption too. */
  teardown?(before: Before): Promise<void>;
}

/** Room for slow answers and a long Retry-After beyond the planned length, in seconds. */
const slack = 600;

/** k6's options of a scenario: connections that stay open, and no thresholds, because the raw output is judged afterwards. */
export function optionsFor(plan: ScenarioPlan, vus: number): Options {
  const { near, proxies, tls, plannedSeconds } = run;
  return {
    scenarios: {
      [plan.name]: {
        executor: 'per-vu-iterations',
        vus,
        iterations: 1,
        maxDuration: `${Math.ceil(plannedSeconds) + slack}s`,
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
    tlsAuth: tls === undefined ? [] : [tls],
    // An upload URL is what a reply says. What is near is for a deployment that is near itself, but for the proxy that leads out.
    blacklistIPs: [...neverReached, ...(plan.name === 'upload' && !near ? proxies.reduce(without, nearby) : [])],
  };
}
