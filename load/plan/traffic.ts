import { type Limit, restSeconds } from '../../spec/limiter/limit.ts';
import { sendTimes } from '../../spec/limiter/measurement.ts';
import type { ScenarioPlan } from '../scenarios.ts';

/** How many kinds of requests a key tries before a run, at most (see `probesOf`). */
const preflights = 7;

/** What a run will send at most. */
type PlannedTraffic = ReturnType<typeof plannedTraffic>;

/** Counts what a scenario will send, all keys together and in the fullest second. @param seconds of the main phase */
export function plannedTraffic(plan: ScenarioPlan, limits: readonly Limit[], seconds = plan.seconds ?? 0) {
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

/** The limits and permissions of the command line. */
export interface Allowance {
  /** Most requests in one second, all keys together. */
  readonly maxRps: number;
  /** Most requests of the whole run. */
  readonly maxRequests: number;
  /** Whether a host that is not this machine may be loaded. */
  readonly yes: boolean;
  /** Whether files may be left behind that the API cannot remove. */
  readonly allowLeftovers: boolean;
}

/** Defaults that suffice for every scenario with one key at 10 requests per second, except soak with its hour. */
export const defaultAllowance: Allowance = { maxRps: 100, maxRequests: 10_000, yes: false, allowLeftovers: false };

/** Whether the host is this machine, by its name alone. */
export const isLoopback = (host: string): boolean =>
  host === '[::1]' || /^(.+\.)?localhost$/.test(host) || /^127(\.\d{1,3}){3}$/.test(host);

/** Why a run may not start, each with its remedy; empty when it may. */
export function refusals(
  plan: ScenarioPlan,
  traffic: PlannedTraffic,
  baseUrl: string,
  allowance: Allowance,
): readonly string[] {
  const { hostname } = new URL(baseUrl);
  const { peakPerSecond: peak, requests } = traffic;
  const { maxRps, maxRequests, yes, allowLeftovers } = allowance;
  const reasons = [
    peak > maxRps &&
      `${plan.name} would send ${peak} requests in one second; allow it with --max-rps ${peak}, or give fewer keys`,
    requests > maxRequests &&
      `${plan.name} would send ${requests} requests; allow it with --max-requests ${requests}, or give fewer keys or a shorter --duration`,
    !yes && !isLoopback(hostname) && `${hostname} is not this machine; say --yes when you may load it`,
    plan.kind === 'flow' &&
      plan.leftovers &&
      !allowLeftovers &&
      `${plan.name} leaves registered files that the API cannot remove; say --allow-leftovers to accept that`,
  ];
  return reasons.filter((reason) => reason !== false);
}

/** What will be sent, in one line. */
export function describeTraffic({ keys, requests, peakPerSecond, seconds }: PlannedTraffic): string {
  return `at most ${requests} requests with ${keys} ${keys === 1 ? 'key' : 'keys'} and ${peakPerSecond} in one second, about ${Math.ceil(seconds)} s`;
}
