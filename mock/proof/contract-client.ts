import type { Profile } from '../../spec/files/profile-schema.ts';
import { type OperationId, operations } from '../../spec/operations.ts';
import { validateReply } from '../../spec/reply-validator.ts';
import { fillPath } from '../../spec/routes.ts';
import { createMock, type Mock, type MockOptions } from '../create-mock.ts';
import { wholeBody } from '../message.ts';
import { memoryFiles } from '../storage/files.ts';
import { Trace } from '../trace.ts';

/** Any JSON value, to be looked into as a test expects it. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Sent {
  readonly key?: string | undefined;
  readonly params?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text or bytes already. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks a mock in-process. @returns what came back, the body as text and as JSON, and what the mock knows about it */
async function send(mock: Mock, method: string, url: string, { key, body, headers = {} }: Sent = {}) {
  const trace = new Trace();
  const bytes = body === undefined ? null : toBytes(body);
  const request = {
    method,
    url,
    origin: 'http://mock.test',
    headers: {
      host: 'mock.test',
      ...(key !== undefined && { 'x-api-key': key }),
      ...(bytes !== null && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      ...headers,
    },
    body: bytes && wholeBody(bytes),
  };
  const reply = await mock.handle(request, trace);
  const text = reply.body ?? '';
  const isJson = text !== '' && (reply.headers['content-type']?.includes('json') ?? false);
  const json: Json = isJson ? JSON.parse(text) : undefined;
  return { status: reply.status, headers: reply.headers, text, body: json, trace };
}

/** For tests: calls a mock in-process and throws at any reply that `openapi.yaml` does not declare. */
export function contractClient(mock: Mock, defaultKey?: string) {
  const judged = async (method: string, url: string, sent: Sent = {}) => {
    const answer = await send(mock, method, url, { key: defaultKey, ...sent });
    if (!url.startsWith('/v1/') || method === 'HEAD') return answer;
    const problems = validateReply(answer.trace.operationId, answer.status, answer.body, answer.headers);
    if (problems.length === 0) return answer;
    const shown = problems.map(({ message }) => message).join('; ');
    throw new Error(`${method} ${url} answered against the contract: ${shown}\n${answer.text}`);
  };

  return {
    send: judged,
    /** Calls an operation of the contract. */
    call: (id: OperationId, sent: Sent = {}) =>
      judged(operations[id].method, fillPath(operations[id].path, sent.params ?? {}), sent),
  };
}

const toBytes = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));

/** For tests: a mock of that profile, and a way to ask it things that does not hold its replies against the contract. */
export async function mockOf(profile: Profile, options: MockOptions = {}) {
  const mock = await createMock({ rateLimit: false, files: memoryFiles(), ...options, profile });
  /** @param line method and URL, as in `GET /v1/labels` */
  const ask = async (line: string, question?: Sent) => {
    const [method = '', address = ''] = line.split(' ');
    const url = address.replace(/^https?:\/\/[^/]+/, '');
    const { status, headers, body: json, trace } = await send(mock, method, url, question);
    return { status, headers, json, refused: trace.refused, why: trace.why };
  };
  return { mock, ask };
}
