import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { MockError } from '../../mock-error.ts';

const kinds: Readonly<Record<number, MockError['kind']>> = { 404: 'missing', 409: 'conflict' };

/** No call takes nearly as long, and no test should wait longer for the end of its tenant. */
const limit = 20_000;

/** Calls the control API of a mock in another process. @throws MockError with the message of an error reply */
export async function remoteControl(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const reply = await send(`${url}/_mock${path}`, method, body);
  if (reply.status < 300) return reply.text === '' ? undefined : JSON.parse(reply.text);
  throw new MockError(kinds[reply.status] ?? 'invalid', `${method} ${url}/_mock${path}: ${messageOf(reply.text)}`);
}

/** Not by `fetch`: tests replace it, test environments forbid it other origins, and it may go through a proxy. */
function send(url: string, method: string, body: unknown): Promise<{ status: number; text: string }> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const headers =
    json === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const failed = (error: Error) =>
      reject(new Error(`${method} ${url}: ${error.message}; is the mock still running?`));
    const request = open(url, { method, headers, agent: false, timeout: limit }, (reply) => {
      text(reply).then((read) => resolve({ status: reply.statusCode ?? 0, text: read }), failed);
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${limit / 1000} s`)));
    request.on('error', failed).end(json);
  });
}

const messageOf = (text: string): string =>
  (jsonOrUndefined(text) as { error?: { message?: string } } | undefined)?.error?.message ?? text;
