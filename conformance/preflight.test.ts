import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { parseTarget } from '../spec/files/target.ts';
import { nodeEnvironment } from './client/node-environment.ts';
import { createClient } from './client.ts';
import { PreflightError, preflight } from './preflight.ts';
import { createRedaction } from './redaction.ts';
import { deploymentOf } from './target/deployment.ts';

const keys = [
  { name: 'full', secret: 'first-secret-0001' },
  { name: 'other', secret: 'second-secret-0002' },
];

/** What the preflight says of a base URL; null when it has no objection. */
async function objection(baseUrl: string): Promise<string | null> {
  const environment = nodeEnvironment();
  const deployment = deploymentOf(parseTarget({ baseUrl, tenants: [{ name: 'acme', keys }] }, {}, 'target'));
  const client = createClient({
    deployment,
    environment,
    redaction: createRedaction(),
    timeout: 300,
    budget: 100,
    onReply: () => undefined,
  });
  try {
    await preflight(deployment, client);
    return null;
  } catch (error) {
    if (error instanceof PreflightError) return error.message;
    throw error;
  } finally {
    environment.close();
  }
}

async function served(listener: RequestListener, path = ''): Promise<string | null> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const said = await objection(`http://127.0.0.1:${port}${path}`);
  server.closeAllConnections();
  server.close();
  return said;
}

const json =
  (status: number, body: unknown = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

it.each([
  ['an API', json(200), null],
  ['an API that is throttled now', json(429), null],
  ['an API that has a bad day', json(503), null],
  ['an API without a list of labels', (q, r) => json(q.url === '/v1/labels' ? 404 : 200)(q, r), null],
  [
    'an API that refuses the first key only',
    (q, r) => json(q.headers['x-api-key'] === keys[0]?.secret ? 403 : 200)(q, r),
    null,
  ],
  [
    'a web page',
    (_, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    /answered 200 with text\/html that is not JSON/,
  ],
  [
    'a redirect',
    (_, r) => r.writeHead(302, { location: '/login' }).end(),
    /answered 302 with no Content-Type that is not JSON/,
  ],
  ['another API', json(404), /none of listLabels, getHealth, getConversationContext is there/],
  ['a proxy that takes the header away', json(403), /every key of tenant acme is refused with 403; .*x-api-key/],
  ['a server that never answers', () => undefined, /no reply in time/],
  ['a server that hangs up', (_, r) => r.destroy(), /the connection was closed/],
] as const satisfies readonly (readonly [string, RequestListener, RegExp | null])[])(
  '%s',
  async (_, listener, expected) => {
    const said = await served(listener);
    if (expected === null) expect(said).toBeNull();
    else expect(said).toMatch(expected);
    expect(said ?? '').not.toMatch(/\n|secret-000/);
  },
);

it('a port where nothing listens, a host that nobody knows, and TLS where there is none', async () => {
  expect(await objection('http://127.0.0.1:1')).toMatch(/nothing listens there/);
  expect(await objection('http://no.such.host.invalid')).toMatch(/the host name is not known/);
  const server = createServer(json(200)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await objection(`https://127.0.0.1:${port}`)).toMatch(
    /the TLS connection failed; .* \(wrong version number\)$/,
  );
  server.close();
});
