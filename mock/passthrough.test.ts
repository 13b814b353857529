import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { createServedMock as createMock } from './adapters/create-served-mock.ts';
import { partnerRouter } from './adapters/express.ts';
import { partnerHandlers } from './adapters/msw.ts';
import { acme } from './proof/acme.ts';

const secret = 'a-real-secret-of-staging-0123456789';
const theirs = { conversation: '0c0a0001-0000-4000-8000-00000000f001', site: '777' };

/** A deployment that tells what reached it. */
async function deployment(answer: (message: IncomingMessage, body: string) => object = () => ({})) {
  const seen: {
    method?: string | undefined;
    url?: string | undefined;
    key?: unknown;
    headers: object;
    body: string;
  }[] = [];
  const server = createServer((message, response) => {
    let body = '';
    message.on('data', (chunk) => (body += chunk));
    message.on('end', () => {
      const { method, url, headers } = message;
      seen.push({ method, url, key: headers['x-api-key'], headers, body });
      const text = JSON.stringify({ at: 'deployment', ...answer(message, body) });
      response.writeHead(200, {
        'content-type': 'application/json',
        'set-cookie': 'session=1',
        'content-encoding': 'gzip',
      });
      response.end(gzipSync(text));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/partner` };
}

async function served(passthrough: Parameters<typeof createMock>[0] & object) {
  const mock = await createMock(passthrough);
  onTestFinished(() => mock.close());
  const { url } = await mock.listen({ port: 0 });
  const call = async (path: string, key: string, init: RequestInit = {}) => {
    const reply = await fetch(url + path, { ...init, headers: { 'x-api-key': key, ...init.headers } });
    return { status: reply.status, body: await reply.json() };
  };
  return { mock, call };
}

const deployed = (baseUrl: string) => ({
  baseUrl,
  headers: { 'x-gateway': 'gateway-secret-1234' },
  tenants: [
    {
      name: 'acme',
      keys: [
        {
          name: 'full',
          secret,
          scopes: ['conversation:read', 'conversation:write', 'siteFile:write'],
          rateLimit: { perSecond: 10, burst: 20 },
          revoked: false,
        },
      ],
    },
  ],
});

it('answers what its records hold, and sends the rest to the deployment with the key of the client', async () => {
  const { seen, baseUrl } = await deployment();
  const { mock, call } = await served({ passthrough: deployed(baseUrl) });

  expect((await call(`/v1/conversation/${acme.open}`, secret)).body.id).toBe(acme.open);
  expect((await call('/v1/labels', secret)).body.labels.length).toBeGreaterThan(0);
  expect(seen).toEqual([]);

  const path = `/v1/conversation/${theirs.conversation}/context?x=1`;
  expect(await call(path, secret)).toEqual({ status: 200, body: { at: 'deployment' } });
  expect(seen).toMatchObject([
    { method: 'GET', url: `/partner${path}`, key: secret, headers: { 'x-gateway': 'gateway-secret-1234' } },
  ]);
  expect(mock.journal.list().map(({ passedTo, key, refused }) => [passedTo, key, refused])).toEqual([
    [null, 'full (deployment)', null],
    [null, 'full (deployment)', null],
    [baseUrl, 'full (deployment)', null],
  ]);
});

it('sends a request with a key that it does not know, with its body', async () => {
  const { seen, baseUrl } = await deployment();
  const { mock, call } = await served({ passthrough: baseUrl });
  const body = JSON.stringify({ contentType: 'text/plain' });
  const headers = { 'content-type': 'application/json' };
  await call(`/v1/site/${theirs.site}/file/upload-url`, secret, { method: 'POST', body, headers });
  expect(seen).toMatchObject([{ method: 'POST', key: secret, body }]);
  expect(mock.journal.list()).toMatchObject([{ passedTo: baseUrl, key: null, request: { body: { text: body } } }]);
});

it('sends operations that it does not have, and refuses by itself what it knows', async () => {
  const { seen, baseUrl } = await deployment();
  const { call } = await served({ passthrough: baseUrl });
  await call('/v1/user/7', acme.full);
  expect(seen).toHaveLength(1);
  const missing = await call('/nothing', acme.full);
  const scope = await call(`/v1/conversation/${theirs.conversation}`, acme.none);
  const revoked = await call('/v1/labels', acme.revoked);
  expect([missing.status, scope.status, revoked.status, seen.length]).toEqual([404, 403, 403, 1]);
});

it.each(['/v1/../admin', '/v1/site/%2e%2e/%2E%2e/admin'])(
  'asks the deployment nothing beside the API: %s',
  async (path) => {
    const { seen, baseUrl } = await deployment();
    const { mock } = await served({ passthrough: baseUrl });
    const request = {
      method: 'GET',
      url: path,
      origin: 'http://127.0.0.1',
      headers: { 'x-api-key': secret },
      body: null,
    };
    expect([(await mock.handle(request)).status, seen.length]).toEqual([403, 0]);
  },
);

it('keeps no secret in its journal, though the deployment repeats what it got', async () => {
  const { baseUrl } = await deployment(({ headers }) => ({ headers, url: 'https://x/y?X-Amz-Signature=0123abcd' }));
  for (const passthrough of [deployed(baseUrl), baseUrl]) {
    const { mock, call } = await served({ passthrough });
    await call(`/v1/conversation/${theirs.conversation}`, secret);
    const text = JSON.stringify([mock.journal.list(), await mock.snapshot()]);
    expect(text).toContain(passthrough === baseUrl ? 'unknown key' : 'full (deployment)');
    for (const kept of [secret, 'session=1', '0123abcd', ...(passthrough === baseUrl ? [] : ['gateway-secret'])])
      expect(text).not.toContain(kept);
  }
});

it('lets a fault answer in place of the deployment, or damage its reply', async () => {
  const { seen, baseUrl } = await deployment();
  const { mock, call } = await served({ passthrough: baseUrl });
  mock.faults.add({ operationId: 'listLabels', reply: { status: 503 }, times: 1 });
  expect((await call('/v1/labels', secret)).status).toBe(503);
  expect(seen).toEqual([]);
  mock.faults.add({ drop: 'after', times: 1 });
  await expect(call('/v1/labels', secret)).rejects.toThrow();
  expect(seen).toHaveLength(1);
  expect(mock.journal.list().map(({ passedTo, refused }) => [passedTo, refused])).toEqual([
    [null, 'fault'],
    [baseUrl, null],
  ]);
});

it('keeps the keys of the deployment after a reset', async () => {
  const { seen, baseUrl } = await deployment();
  const { mock, call } = await served({ passthrough: deployed(baseUrl) });
  mock.reset();
  expect((await call(`/v1/conversation/${acme.open}`, secret)).status).toBe(200);
  expect(seen).toEqual([]);
});

it('says that the deployment does not answer', async () => {
  const { call } = await served({ passthrough: 'http://127.0.0.1:1' });
  const { status, body } = await call('/v1/labels', secret);
  expect(status).toBe(502);
  expect(body.error.message).toMatch(/^http:\/\/127\.0\.0\.1:1 did not answer: .*ECONNREFUSED/);
});

it('does not take a reply that grows without end when it is decompressed', async () => {
  const { baseUrl } = await deployment(() => ({ text: 'x'.repeat(65 * 2 ** 20) }));
  const { call } = await served({ passthrough: { baseUrl } });
  expect(await call(`/v1/site/${theirs.site}`, secret)).toMatchObject({ status: 502 });
});

it('sends nothing on unless only this machine can reach it', async () => {
  const mock = await createMock({ passthrough: 'https://connect.example.com' });
  await expect(mock.listen({ port: 0, host: '0.0.0.0' })).rejects.toThrow('must listen on 127.0.0.1 by itself');
  expect(() => partnerRouter(mock)).toThrow('not in an app');
  expect(() => partnerHandlers(mock, { baseUrl: 'https://connect.example.com' })).toThrow('not in msw');
  await expect(createMock({ passthrough: 'staging' })).rejects.toThrow('passthrough: must be an http or https URL');
  await expect(createMock({ passthrough: 'https://me:pass@staging' })).rejects.toThrow('no user or password');
});
