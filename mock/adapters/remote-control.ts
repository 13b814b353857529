import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { MockError } from '../mock-error.ts';

const kinds: Readonly<Record<number, MockError['kind']>> = { 404: 'missing', 409: 'conflict' };

/** Milliseconds. No call takes nearly as long, and no test should wait longer for the end of its tenant. */
const limit = 20_000;

interface ControlRequest {
  readonly method?: string;
  readonly body?: unknown;
  /** Null if the mock needs none. */
  readonly token?: string | null;
}

/**
 * Calls the control API of a mock in another process. Redirects are not followed, because only the mock itself may get the request and its token.
 * @param path below `/_mock`
 * @returns the body of the reply
 * @throws MockError if no mock answers, or with the message of an error reply
 */
export async function remoteControl(
  url: string,
  path: string,
  { method = 'GET', body, token = null }: ControlRequest = {},
): Promise<Buffer> {
  const address = `${url}/_mock${path}`;
  const { status, location, said } = await send(address, method, body, token).catch((error: Error) => {
    throw new MockError(
      'missing',
      `no mock answers at ${url} (${error.message}); start one (partnerkit mock), or give its address`,
    );
  });
  if (status >= 200 && status < 300) return said;
  const text = said.toString();
  const message = (jsonOrUndefined(text) as { error?: { message?: string } } | undefined)?.error?.message;
  const problem =
    location === undefined
      ? (message ?? text.slice(0, 200))
      : `leads to ${location}, which is not followed; give the address of the mock itself`;
  throw new MockError(kinds[status] ?? 'invalid', `${method} ${address}: ${status} ${problem}`);
}

/** Not by `fetch`: tests replace it, test environments forbid it other origins, and it may go through a proxy. */
async function send(url: string, method: string, body: unknown, token: string | null) {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(json !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
  };
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const request = open(url, { method, headers, agent: false, timeout: limit });
  request.on('timeout', () => request.destroy(new Error(`no answer within ${limit / 1000} s`)));
  // Once a reply has begun, what is wrong with the connection is an error of the reply.
  request.on('error', () => undefined).end(json);
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  return { status: reply.statusCode ?? 0, location: reply.headers.location, said: await buffer(reply) };
}

/** The JSON of a reply; undefined if it has no body. @throws MockError if it is something else */
export async function remoteJson(...call: Parameters<typeof remoteControl>): Promise<unknown> {
  const text = (await remoteControl(...call)).toString();
  const value = text === '' ? undefined : jsonOrUndefined(text);
  if (text === '' || value !== undefined) return value;
  throw new MockError('invalid', `${call[0]}/_mock${call[1]}: the reply is not that of a mock; check the address`);
}
