import { type OperationId, operations } from '../../spec/operations.ts';
import { validateReply } from '../../spec/reply-validator.ts';
import { fillPath } from '../../spec/routes.ts';
import type { Mock } from '../create-mock.ts';
import { newTrace, type Trace } from '../trace.ts';

/** Any JSON value, to be looked into as a test expects it. */
export type Json = ReturnType<typeof JSON.parse>;

/** What came back, and what the mock knows about it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent. */
  readonly text: string;
  /** The body read as JSON; undefined where there is none. */
  readonly body: Json;
  readonly trace: Trace;
}

export interface Sent {
  readonly key?: string | undefined;
  readonly params?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text or bytes already. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** For tests: calls a mock in-process and throws at any reply that `openapi.yaml` does not declare. */
export function contractClient(mock: Mock, defaultKey?: string) {
  const send = async (method: string, url: string, { body, headers = {}, ...sent }: Sent = {}): Promise<Answer> => {
    const trace = newTrace();
    const key = 'key' in sent ? sent.key : defaultKey;
    const bytes = body === undefined ? undefined : toBytes(body);
    const reply = await mock.handle(
      {
        method,
        url,
        origin: 'http://mock.test',
        headers: {
          host: 'mock.test',
          ...(key !== undefined && { 'x-api-key': key }),
          ...(bytes !== undefined && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
          ...headers,
        },
        body: bytes === undefined ? null : once(bytes),
      },
      trace,
    );
    const text = reply.body ?? '';
    const isJson = reply.headers['content-type']?.includes('json') ?? false;
    const answer = {
      status: reply.status,
      headers: reply.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
      trace,
    };
    if (url.startsWith('/v1/')) {
      const problems = validateReply(trace.operationId, answer.status, answer.body, answer.headers);
      if (problems.length > 0)
        throw new Error(
          `${method} ${url} answered against the contract: ${problems.map((problem) => problem.message).join('; ')}\n${text}`,
        );
    }
    return answer;
  };

  return {
    send,
    /** Calls an operation of the contract. */
    call: (id: OperationId, sent: Sent = {}) =>
      send(operations[id].method, fillPath(operations[id].path, sent.params ?? {}), sent),
  };
}

const toBytes = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));

async function* once(bytes: Uint8Array) {
  yield bytes;
}
