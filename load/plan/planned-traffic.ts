import { type Limit, restSeconds } from '../../spec/limiter/limit.ts';
import { sendTimes } from '../../spec/limiter/measurement.ts';
import type { ScenarioPlan } from './scenario-plan.ts';

/** What a run will send at most, all keys together. */
export interface PlannedTraffic {
  readonly keys: number;
  readonly requests: number;
  /** Requests in the fullest second. */
  readonly peakPerSecond: number;
  readonly seconds: number;
}

/** How many kinds of requests a key tries before a run, at most (see `probesOf`). */
const preflights = 7;

/** Counts what a scenario will send, before anything is sent. @param seconds of the main phase */
export function plannedTraffic(
  plan: ScenarioPlan,
  limits: readonly Limit[],
  seconds = plan.seconds ?? 0,
): PlannedTraffic {
  const rest = 2 * Math.max(0, ...limits.map(restSeconds));
  if (plan.kind === 'flow') {
    const traffic = limits[0] ? plan.traffic(limits[0], seconds) : { requests: 0, peakPerSecond: 0 };
    return { keys: limits.length, seconds: seconds + rest, ...traffic };
  }
  const all = { keys: limits.length, requests: 0, peakPerSecond: 0, seconds: 0 };
  limits.forEach((limit, position) => {
    const sent = sendTimes(plan.phases(limit, seconds, position));
    all.requests += sent.times.length + (plan.keys === 'one' ? preflights : 1);
    all.peakPerSecond += fullestSecond(sent.times);
    all.seconds = Math.max(all.seconds, sent.seconds + rest);
  });
  return all;
}

/** The largest count of the ascending times in any half-open second. */
function fullestSecond(times: readonly number[]): number {
  let [most, first] = [0, 0];
  times.forEach((time, index) => {
    while ((times[first] ?? 0) <= time - 1 + 1e-9) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
