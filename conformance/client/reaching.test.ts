import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createSocketServer, type Server } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, expect, it, vi } from 'vitest';
import { cert, key } from '../../spec/proof/certificate.ts';
import { freePort, onLoopback } from '../../spec/proof/processes.ts';
import type { Sending } from './environment.ts';
import { nodeEnvironment } from './node-environment.ts';

const opened: { close(): unknown }[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const one of opened.splice(0)) one.close();
});

async function listening(server: Server & { closeAllConnections?(): void }): Promise<string> {
  const close = () => {
    server.closeAllConnections?.();
    server.close();
  };
  opened.push({ close });
  return onLoopback(server);
}

function get(url: string, tls = {}, sending: Partial<Sending> = {}) {
  const environment = nodeEnvironment({ tls });
  opened.push(environment);
  return environment.send({ method: 'GET', url, headers: {}, body: null }, { timeoutMilliseconds: 5_000, ...sending });
}

/** A proxy that writes down what it is asked for, and makes every tunnel lead to this port. */
async function startProxy(port = 0, refusal?: string) {
  const asked: (string | undefined)[] = [];
  const say = ({ method, url, headers }: IncomingMessage) =>
    asked.push(`${method} ${url}`, headers['proxy-authorization']);
  const proxy = createServer((request, response) => {
    say(request);
    response.writeHead(refusal ? 407 : 200).end('{}');
  });
  proxy.on('connect', (request, socket) => {
    say(request);
    if (refusal) return socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const onward = connect(port, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
  });
  return { url: (await listening(proxy)).replace('//', '//me:hidden@'), asked };
}

const withTls = (options = {}) =>
  createTlsServer({ key, cert, ...options }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    response.end(JSON.stringify({ client: subject?.CN ?? null }));
  });

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const text = ({ body }: { readonly body: Uint8Array }) => new TextDecoder().decode(body);

it('sends http to HTTP_PROXY, https through a tunnel of HTTPS_PROXY, and what NO_PROXY names directly', async () => {
  const server = withTls();
  await listening(server);
  const { url, asked } = await startProxy(portOf(server));
  vi.stubEnv('HTTP_PROXY', url);
  vi.stubEnv('https_proxy', url);
  vi.stubEnv('NO_PROXY', 'direct.invalid');
  expect((await get('http://partner.example/v1/labels')).status).toBe(200);
  expect(text(await get('HTTPS://partner.example/v1/labels', { ca: cert }))).toBe('{"client":null}');
  const credentials = `Basic ${btoa('me:hidden')}`;
  expect(asked).toEqual([
    'GET http://partner.example/v1/labels',
    credentials,
    'CONNECT partner.example:443',
    credentials,
  ]);
  await expect(get('http://direct.invalid/')).rejects.toMatchObject({ problem: 'connect' });
  expect(asked).toHaveLength(4);
});

it.each([
  ['http', /^not reached: partner\.example by the proxy 127\.0\.0\.1:\d+: 407 Proxy/],
  [
    'https',
    /^not reached: partner\.example by the proxy 127\.0\.0\.1:\d+: .*: HTTP\/1\.1 407 .*check user and password, and HTTPS_PROXY/,
  ],
])('says that a proxy refuses %s, and never its password', async (scheme, message) => {
  const { url } = await startProxy(0, '407 Proxy Authentication Required');
  vi.stubEnv(`${scheme}_proxy`, url);
  const error = await get(`${scheme}://partner.example/`).catch((one: Error) => one);
  expect(error).toMatchObject({ problem: 'connect', message: expect.stringMatching(message) });
  expect(String(error)).not.toContain('hidden');
});

it('names the proxy where nothing listens there', async () => {
  const port = await freePort();
  vi.stubEnv('http_proxy', `http://127.0.0.1:${port}`);
  await expect(get('http://partner.example/')).rejects.toMatchObject({
    problem: 'refused',
    message: expect.stringContaining(`partner.example by the proxy 127.0.0.1:${port}: connect ECONNREFUSED`),
  });
});

it.each(['http://127.1.2.3/', 'http://169.254.169.254/'])(
  'a proxy does not help a deployment abroad to reach %s by an upload URL',
  async (url) => {
    const { url: proxy, asked } = await startProxy();
    vi.stubEnv('http_proxy', proxy);
    await expect(get(url, {}, { namedBy: 'http://93.184.216.34' })).rejects.toMatchObject({ problem: 'unusable' });
    expect(asked).toEqual([]);
  },
);

it('shows the client certificate to the host of the deployment, and to no other', async () => {
  const url = (await listening(withTls({ requestCert: true, rejectUnauthorized: false }))).replace('http:', 'https:');
  expect(text(await get(url, { ca: cert, cert, key }))).toBe('{"client":"127.0.0.1"}');
  expect(text(await get(url, { ca: cert, cert, key }, { namedBy: 'http://10.0.0.1' }))).toBe('{"client":null}');
});

it.each([
  ['an unknown authority', {}, {}, /^not reached: 127\.0\.0\.1:\d+: .*; .*NODE_EXTRA_CA_CERTS or tls\.ca/],
  [
    'a missing client certificate',
    { requestCert: true, rejectUnauthorized: true },
    { ca: cert },
    /^not reached: .*tls\.cert and tls\.key/,
  ],
  ['no TLS at all', null, {}, /^not reached: 127\.0\.0\.1:\d+: .*TLS connection failed/],
])('says what %s needs', async (_, options, tls, message) => {
  const url = await listening(options === null ? createServer() : withTls(options));
  await expect(get(url.replace('http:', 'https:'), tls)).rejects.toMatchObject({
    problem: 'connect',
    message: expect.stringMatching(message),
  });
});

it('gives up a connection that is not made in time', async () => {
  const url = await listening(createSocketServer());
  const sent = get(url.replace('http:', 'https:'), {}, { timeoutMilliseconds: 200 });
  await expect(sent).rejects.toMatchObject({ message: expect.stringMatching(/within 200 ms/) });
});

it('says that a request cannot be sent', async () => {
  const environment = nodeEnvironment();
  opened.push(environment);
  const request = { method: 'GET', url: 'http://127.0.0.1/', headers: { 'x-team': 'a\nb' }, body: null };
  await expect(environment.send(request, { timeoutMilliseconds: 1_000 })).rejects.toMatchObject({
    problem: 'connect',
    message: expect.stringContaining('Invalid character in header content ["x-team"]; the request cannot be sent'),
  });
});
