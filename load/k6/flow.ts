import type { PlannedRequest } from '../run-file.ts';
import { checked, undecided } from './metrics.ts';
import { abort, run } from './run.ts';
import { type Answer, send } from './send.ts';

/** Ends the run unless the target answers and the key works. */
export function orAbortPreflight({ status, error }: Answer, what: string): void {
  const stop = (code: string, text: string) => abort(code, `preflight: ${what}: ${text}`);
  if (status === 0) stop('no-answer', `no answer (${error}); ${remedyFor(error)}`);
  if (status === 403) stop('key-refused', "refused with 403; check the key's secret and scopes");
  if (status === 429) stop('key-throttled', 'throttled already; let nothing else use the key, and try again');
  if (!isSuccess(status))
    stop('unexpected-status', `answered ${status}, not 2xx; check the target's ids and operations`);
}

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

const remedyFor = (error: string): string =>
  /x509|tls|certificate/.test(error)
    ? 'check the certificate; NODE_EXTRA_CA_CERTS or tls.ca in the target file names a private authority, tls.cert and tls.key a client certificate'
    : 'check its address and that it runs, and HTTPS_PROXY and NO_PROXY';

/** Counts one check of a rule. @param fault what was wrong, if anything was */
export const check = (rule: string, operationId: string, fault: string | undefined): void =>
  checked.add(1, { rule, seen: fault === undefined ? '' : `${operationId}: ${fault}` });

/** Whether a reply says nothing about a rule: there is none, or it says to come back later. */
export function isUndecided({ status, error }: Answer): boolean {
  if (status !== 0 && status !== 429 && status < 502) return false;
  undecided.add(1, { seen: status === 0 ? `no answer (${error}); ${remedyFor(error)}` : `status ${status}` });
  return true;
}

/** Sends with the key of the run. Such requests stay below the rate, so they are no samples of it. */
export const sendFlow = (request: PlannedRequest): Promise<Answer> => {
  const { secret = '' } = run.keys[0] ?? {};
  return send({ request, secret, tags: { phase: 'flow' } });
};
