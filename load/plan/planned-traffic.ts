import type { Limit } from '../../spec/limiter/limit.ts';
import { restSeconds } from '../../spec/limiter/limit.ts';
import { sendTimes } from '../../spec/limiter/send-times.ts';
import type { LimitPlan, ScenarioPlan } from './scenario-plan.ts';

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

/** Counts what a scenario will send, before anything is sent. */
export function plannedTraffic(plan: ScenarioPlan, limits: readonly Limit[], duration?: number): PlannedTraffic {
  const seconds = duration ?? plan.seconds ?? 0;
  if (plan.kind === 'flow') {
    const [limit] = limits;
    const traffic = limit === undefined ? { requests: 0, peakPerSecond: 0 } : plan.traffic(limit, seconds);
    return { keys: limits.length, seconds, ...traffic };
  }
  let [requests, longest, peakPerSecond] = [0, 0, 0];
  const counted = new Map<string, ReturnType<typeof countKey>>();
  limits.forEach((limit, position) => {
    // Every VU of k6 counts this, so keys that are driven alike are counted once: a fleet's plan would cost more than its run.
    const alike = `${limit.perSecond}/${limit.burst}/${Math.min(position, 1)}`;
    const key = counted.get(alike) ?? countKey(plan, limit, seconds, Math.min(position, 1));
    counted.set(alike, key);
    requests += key.requests;
    longest = Math.max(longest, key.seconds);
    peakPerSecond += key.peakPerSecond;
  });
  return { keys: limits.length, requests, seconds: longest, peakPerSecond };
}

function countKey(plan: LimitPlan, limit: Limit, seconds: number, position: number) {
  const phases = plan.phases(limit, seconds, position);
  const { times, seconds: length } = sendTimes(phases);
  return {
    // The preflight sends one request of every kind.
    requests: times.length + (plan.keys === 'one' ? preflights : 1),
    seconds: length + 2 * restSeconds(limit),
    peakPerSecond: fullestSecond(times),
  };
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
