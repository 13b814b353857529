import http from 'k6/http';
import { type PlannedRequest, requestTimeoutMs } from '../run-file.ts';
import { run } from './run.ts';

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
  /** Null where the reply has no body, or where the body was not wanted. */
  readonly body: string | null;
  /** Whether the body was wanted. */
  readonly read: boolean;
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
  params: {
    readonly headers: Record<string, string>;
    readonly tags: { readonly [name: string]: string; readonly operationId: string; readonly name: string };
    readonly timeout: number;
    readonly responseType: 'text' | 'none';
  },
): Promise<Answer> {
  const response = await http.asyncRequest(method, url, body, { ...params, redirects: 0 });
  const { status, error, headers } = response;
  const text: unknown = response.body;
  return {
    status,
    // Of a URL that is named, the query may carry a signature.
    error: error.replace(/\?\S*/g, '?…'),
    retryAfter: status === 429 ? headers['Retry-After'] : undefined,
    body: typeof text === 'string' ? text : null,
    read: params.responseType === 'text',
  };
}
