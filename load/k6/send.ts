import http, { type RefinedParams } from 'k6/http';
import { type PlannedRequest, requestTimeoutMs } from '../run-file.ts';
import { abort, checked, run, undecided } from './run.ts';

interface Sending {
  readonly request: PlannedRequest;
  readonly secret: string;
  /** Besides the operation. `key` only where the answer counts as a sample of that key. */
  readonly tags: Readonly<Record<string, string>>;
  /** Whether the body of the reply is wanted. Other bodies are discarded unread: a small reply may unpack to a large body. */
  readonly reads?: boolean;
}

export interface Answer {
  /** 0 where no answer came; `error` then says why. */
  readonly status: number;
  readonly error: string;
  /** The Retry-After of a 429. */
  readonly retryAfter: string | undefined;
  /** Null where the reply has no body; undefined where the body was not wanted. */
  readonly body: string | null | undefined;
}

// A 429 is an answer here and no failure, so k6's own metric of failures would mislead, and cost a line for every request.
http.setResponseCallback(null as never);

/** Sends a request of the API, and resolves with the answer, also when none came. */
export const send = ({ request, secret, tags, reads = true }: Sending): Promise<Answer> => {
  const { method, path, body, operationId } = request;
  const headers: Record<string, string> = { ...run.headers, 'x-api-key': secret };
  if (body !== undefined) headers['content-type'] = 'application/json';
  return sendRaw(method, run.baseUrl.replace(/\/+$/, '') + path, body ?? null, {
    headers,
    tags: { ...tags, operationId, name: operationId },
    timeout: requestTimeoutMs,
    responseType: reads ? 'text' : 'none',
  });
};

/**
 * Always asynchronous: a synchronous call would block the VU's event loop, and with it every other request of its key. The tag `name`
 * stands in for the URL, which may be signed.
 */
export async function sendRaw(
  method: string,
  url: string,
  body: string | ArrayBuffer | null,
  params: RefinedParams<'text' | 'none'>,
): Promise<Answer> {
  const {
    status,
    error,
    headers,
    body: text,
  } = await http.asyncRequest(method, url, body, { ...params, redirects: 0 });
  return {
    status,
    // Of a URL that is named, the query may carry a signature.
    error: error.replace(/\?\S*/g, '?…'),
    retryAfter: status === 429 ? headers['Retry-After'] : undefined,
    body: params.responseType === 'none' ? undefined : typeof text === 'string' ? text : null,
  };
}

/** Ends the run unless the target answers and the key works. */
export function orAbortPreflight({ status, error }: Answer, what: string): void {
  const stop = (code: string, text: string) => abort(code, `preflight: ${what}: ${text}`);
  if (status === 0) stop('no-answer', `no answer (${error}); ${remedyFor(error)}`);
  if (status === 403)
    stop('key-refused', "refused with 403; check the key's secret and scopes (partnerkit doctor --target FILE does)");
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
