import type { PlannedTraffic } from './planned-traffic.ts';
import type { ScenarioPlan } from './scenario-plan.ts';

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
  const host = new URL(baseUrl).hostname;
  const reasons: string[] = [];
  if (traffic.peakPerSecond > allowance.maxRps) {
    reasons.push(
      `${plan.name} would send ${traffic.peakPerSecond} requests in one second; allow it with --max-rps ${traffic.peakPerSecond}, or give fewer keys`,
    );
  }
  if (traffic.requests > allowance.maxRequests) {
    reasons.push(
      `${plan.name} would send ${traffic.requests} requests; allow it with --max-requests ${traffic.requests}, or give fewer keys or a shorter --duration`,
    );
  }
  if (!allowance.yes && !isLoopback(host)) {
    reasons.push(`${host} is not this machine; say --yes when you may load it`);
  }
  if (plan.kind === 'flow' && plan.leftovers && !allowance.allowLeftovers) {
    reasons.push(
      `${plan.name} leaves registered files that the API cannot remove; say --allow-leftovers to accept that`,
    );
  }
  return reasons;
}

/** What will be sent, in one line. */
export function describeTraffic({ keys, requests, peakPerSecond, seconds }: PlannedTraffic): string {
  return `${requests} requests with ${keys} ${keys === 1 ? 'key' : 'keys'}, at most ${peakPerSecond} in one second, about ${Math.ceil(seconds)} s`;
}
