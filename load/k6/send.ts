import http from 'k6/http';
import type { Observation } from '../../spec/limiter/observation.ts';
import { requestTimeoutMs } from '../plan/request-timeout.ts';

interface Sending {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `operationId` and `rule` at least; `key` only where the answer counts as a sample of that key. */
  readonly tags: Readonly<Record<string, string>>;
  readonly body?: string | ArrayBuffer;
  /** Whether the body of the reply is wanted. Other bodies are discarded unread: a small reply may unpack to a large body. */
  readonly reads?: boolean;
  /** Default: `requestTimeoutMs`. */
  readonly timeoutMs?: number;
}

export interface Answer {
  readonly sample: Observation;
  /** 0 where no answer came; `error` then says why. */
  readonly status: number;
  readonly error: string;
  /** The Retry-After of a 429. */
  readonly retryAfter: string | undefined;
  /** The server's clock, by its header. */
  readonly date: string | undefined;
  /** Null where the reply has no body, or where the body was not wanted. */
  readonly body: string | null;
  /** Whether the body was wanted. */
  readonly read: boolean;
}

// A 429 is an answer here and no failure, so k6's own metric of failures would mislead, and cost a line for every request.
http.setResponseCallback(null as never);

/**
 * What sends a request whenever it is called, and resolves with the answer, also when none came. Always asynchronous: a
 * synchronous call would block the VU's event loop, and with it every other request of its key. The tag `name` stands in for
 * the URL, which may be signed.
 */
export function sender({
  method,
  url,
  headers,
  tags,
  body,
  reads = true,
  timeoutMs = requestTimeoutMs,
}: Sending): () => Promise<Answer> {
  const params = {
    headers: { ...headers },
    tags: { ...tags, name: tags.operationId ?? method },
    timeout: timeoutMs,
    redirects: 0,
    responseType: reads ? 'text' : 'none',
  } as const;
  return async () => {
    const sentAt = Date.now();
    const response = await http.asyncRequest(method, url, body ?? null, params);
    const { status, timings } = response;
    const text: unknown = response.body;
    return {
      sample: {
        // Opening a connection comes before sending.
        sentAt: sentAt + timings.connecting + timings.tls_handshaking,
        doneAt: Math.max(sentAt + timings.connecting + timings.tls_handshaking, Date.now()),
        status,
        operation: tags.operationId,
      },
      status,
      // Of a URL that is named, the query may carry a signature.
      error: response.error.replace(/\?\S*/g, '?…'),
      retryAfter: status === 429 ? response.headers['Retry-After'] : undefined,
      date: response.headers.Date,
      body: typeof text === 'string' ? text : null,
      read: reads,
    };
  };
}

/** Sends once, at once. */
export const send = (sending: Sending): Promise<Answer> => sender(sending)();
