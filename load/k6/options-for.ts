import type { Options } from 'k6/options';
import { nearby, neverReached, without } from '../../spec/upload-destination.ts';
import { requestTimeoutMs } from '../plan/request-timeout.ts';
import type { ScenarioPlan } from '../plan/scenario-plan.ts';
import { clientCertificate, openTarget } from './open-target.ts';
import { near, proxies } from './settings.ts';

/** Room for slow answers and a long Retry-After beyond the planned length, in seconds. */
const slack = 600;

/**
 * k6's options of a scenario: one VU per key, thresholds that name the rules, connections that stay open.
 * @param followsUrls whether requests go to URLs that replies name
 */
export function optionsFor(plan: ScenarioPlan, vus: number, seconds: number, followsUrls = false): Options {
  return {
    scenarios: {
      [plan.name]: {
        executor: 'per-vu-iterations',
        vus,
        iterations: 1,
        maxDuration: `${Math.ceil(seconds) + slack}s`,
        gracefulStop: `${Math.ceil(requestTimeoutMs / 1000) + 5}s`,
      },
    },
    thresholds: {
      ...Object.fromEntries(plan.rules.map((rule) => [`load_broken{rule:${rule}}`, ['count==0']])),
      ...Object.fromEntries(
        plan.rules
          .filter((rule) => rule.startsWith('limiter/429-'))
          .map((rule) => [`load_malformed_429{rule:${rule}}`, ['count==0']]),
      ),
      load_undecided: ['count==0'],
      load_dropped: ['count==0'],
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
    tlsAuth: clientCertificate(openTarget()),
    // An upload URL is what a reply says. What is near is for a deployment that is near itself, but for the proxy that leads out.
    blacklistIPs: [...neverReached, ...(followsUrls && !near() ? proxies().reduce(without, nearby) : [])],
  };
}
