import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, type Mock } from '../../../index.ts';
import { secret } from './busy-tenant.ts';

/** JSON as it came. */
type Json = ReturnType<typeof JSON.parse>;

/** Sends a request as the busy tenant's client. @throws Error at any refusal @returns the body of the reply as JSON */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Json>;

const headersFor = (body: unknown): Record<string, string> => ({
  'x-api-key': secret,
  ...(body !== undefined && { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' }),
});

const encoded = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

function read(method: string, path: string, status: number, body: string): Json {
  if (status >= 300) throw new Error(`${method} ${path} was answered with ${status}: ${body}`);
  return body === '' ? null : JSON.parse(body);
}

export function askInProcess(mock: Mock): Ask {
  return async (method, path, body) => {
    const origin = 'http://mock.test';
    const headers = { host: 'mock.test', ...headersFor(body) };
    const stream = body === undefined ? null : new Blob([encoded(body)]).stream();
    const reply = await mock.handle({ method, url: path, headers, origin, body: stream });
    return read(method, path, reply.status, reply.body ?? '');
  };
}

/** Over as many connections at once as there are requests, up to 200. @param open gets what has to be closed in the end */
export async function askOverHttp(mock: Mock, open: AsyncDisposable[]): Promise<Ask> {
  const { url, close } = await listen(mock, { port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  open.push({
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await close();
    },
  });
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { method, agent, headers: headersFor(body) }, async (reply) => {
        try {
          resolve(read(method, path, reply.statusCode ?? 0, await text(reply)));
        } catch (error) {
          reject(error);
        }
      });
      sent.on('error', reject).end(body === undefined ? undefined : encoded(body));
    });
}
