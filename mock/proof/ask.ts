import type { Profile } from '../../spec/files/profile-schema.ts';
import { createMock, type Mock, type MockOptions } from '../create-mock.ts';
import { memoryFiles } from '../storage/memory-files.ts';
import { newTrace } from '../trace.ts';
import type { Json } from './contract-client.ts';

interface Question {
  readonly key?: string | undefined;
  /** Sent as JSON, unless it is text already. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** For tests: a mock of that profile, and a way to ask it things that does not hold its replies against the contract. */
export async function mockOf(profile: Profile, options: MockOptions = {}) {
  const mock = await createMock({ rateLimit: false, files: memoryFiles(), ...options, profile });
  return { mock, ask: (line: string, question?: Question) => ask(mock, line, question) };
}

/** @param line method and URL, as in `GET /v1/labels` */
async function ask(mock: Mock, line: string, { key, body, headers = {} }: Question = {}) {
  const [method = '', address = ''] = line.split(' ');
  const url = address.replace(/^https?:\/\/[^/]+/, '');
  const trace = newTrace();
  const bytes =
    body === undefined ? null : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  const reply = await mock.handle(
    {
      method,
      url,
      origin: 'http://mock.test',
      headers: {
        host: 'mock.test',
        ...(key !== undefined && { 'x-api-key': key }),
        ...(bytes !== null && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
        ...headers,
      },
      body: bytes && once(bytes),
    },
    trace,
  );
  const json: Json = reply.headers['content-type']?.includes('json') ? JSON.parse(reply.body ?? '') : undefined;
  return { status: reply.status, headers: reply.headers, json, refused: trace.refused, why: trace.why };
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}
