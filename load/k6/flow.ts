import exec from 'k6/execution';
import type { Target } from '../../spec/files/target.ts';
import type { Limit } from '../../spec/limiter/limit.ts';
import { plannedTraffic } from '../plan/planned-traffic.ts';
import { describeTraffic, refusals } from '../plan/refusals.ts';
import type { FlowPlan } from '../plan/scenario-plan.ts';
import { broken, checked } from './metrics.ts';
import { resolveTarget } from './open-target.ts';
import { type Answer, send } from './send.ts';
import { allowance, duration } from './settings.ts';

/** Ends the whole run, for every VU. */
export function abort(reason: string): never {
  exec.test.abort(reason);
  throw new Error(reason);
}

/** The value, or the end of the run with what was wrong. */
export function orAbort<T>(attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    return abort(error instanceof Error ? error.message : String(error));
  }
}

/** The target with its secrets, when this flow may run against it; announces what will be sent. */
export function admittedTarget(plan: FlowPlan, opened: Target, limit: Limit): Target {
  const target = orAbort(() => resolveTarget(opened));
  const traffic = plannedTraffic(plan, [limit], duration());
  const refused = refusals(plan, traffic, target.baseUrl, allowance());
  if (refused.length > 0) abort(refused.join('; '));
  console.log(`${plan.name}: ${describeTraffic(traffic)}`);
  return target;
}

/** Stops unless the target answers and the key works. */
export function orAbortPreflight({ status, error }: Answer, what: string): void {
  if (status === 0) abort(`preflight: ${what}: no answer (${error}); ${remedyFor(error)}`);
  if (status === 403) abort(`preflight: ${what}: refused with 403; check the key's secret and scopes`);
  if (status === 429) abort(`preflight: ${what}: throttled already; let nothing else use the key, and try again`);
  if (status < 200 || status > 299)
    abort(`preflight: ${what}: answered ${status}, not 2xx; check the target's ids and operations`);
}

/** What to do where no answer came. */
export const remedyFor = (error: string): string =>
  /x509|tls|certificate/.test(error)
    ? 'check the certificate; NODE_EXTRA_CA_CERTS or tls.ca in the target file names a private authority, tls.cert and tls.key a client certificate'
    : 'check its address and that it runs, and HTTPS_PROXY and NO_PROXY';

/** Counts one check of a rule; `fault` says what was wrong. What was not answered (or was throttled) shows nothing. */
export function check(rule: string, operationId: string, fault: string | undefined): void {
  checked.add(1, { rule });
  if (fault !== undefined) broken.add(1, { rule, operationId, seen: fault, by: 'flow' });
}

/** Sends with the key of a flow. Flows stay below the rate, so their answers are samples of nothing and carry no `key`. */
export const sendFor = (
  from: { readonly secret: string; readonly headers: Readonly<Record<string, string>> },
  url: string,
  { method, operationId }: { readonly method: string; readonly operationId: string },
  rule: string,
  body?: string,
): Promise<Answer> =>
  send({
    method,
    url,
    headers: {
      ...from.headers,
      'x-api-key': from.secret,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    tags: { operationId, rule, phase: 'flow' },
    ...(body !== undefined && { body }),
  });
