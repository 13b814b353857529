import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import express, { type Express } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onLoopback } from '../../spec/proof/processes.ts';
import { createMock, type Mock } from '../create-mock.ts';
import { acme } from '../proof/acme.ts';
import { partnerRouter } from './express.ts';

let mock: Mock;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  mock = await createMock({ rateLimit: false });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await mock.close();
});

/** An app with that set-up, on a free port. */
async function serve(setUp: (app: Express) => void): Promise<string> {
  const app = express();
  setUp(app);
  const server = createServer(app);
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return onLoopback(server);
}

const call = (url: string, { headers, ...init }: RequestInit = {}) =>
  fetch(url, { ...init, headers: { 'x-api-key': acme.full, ...headers } });
const json = { 'content-type': 'application/json' };
const start = async (base: string, contentType = 'text/plain') =>
  (
    await call(`${base}/v1/site/${acme.site}/file/upload-url`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ contentType }),
    })
  ).json();

describe.each([
  ['at the root', '/', ''],
  ['below a path', '/partner/api', '/partner/api'],
])('the express router %s', (_, mount, path) => {
  it('serves the API and takes uploads at the address that it gives', async () => {
    const base = (await serve((app) => app.use(mount, partnerRouter(mock)))) + path;
    expect(await (await call(`${base}/v1/health`)).json()).toEqual({ status: 'ok' });
    const { uploadUrl, fileKey } = await start(base);
    expect(uploadUrl.startsWith(`${base}/storage/acme/`)).toBe(true);
    const bytes = new Uint8Array(3_000_000).fill(65);
    const put = await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: bytes });
    expect([put.status, put.headers.get('etag')]).toEqual([200, `"${createHash('md5').update(bytes).digest('hex')}"`]);
    const registered = await call(`${base}/v1/site/${acme.site}/file`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ fileKey }),
    });
    expect([registered.status, (await registered.json()).size]).toEqual([201, bytes.length]);
  });

  it('leaves everything else to the app, but not what is below /v1', async () => {
    const base = await serve((app) => {
      app.use(mount, partnerRouter(mock));
      app.use((_request, response) => void response.status(299).end());
    });
    expect((await fetch(`${base}${path}/other`)).status).toBe(299);
    const unknown = await call(`${base}${path}/v1/other`);
    expect([unknown.status, (await unknown.json()).error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    ['json', express.json()],
    ['raw', express.raw({ type: '*/*' })],
    ['text', express.text({ type: '*/*' })],
  ])('works behind express.%s()', async (_name, parser) => {
    const base = (await serve((app) => app.use(parser).use(mount, partnerRouter(mock)))) + path;
    const { uploadUrl } = await start(base);
    const put = await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'hello' });
    expect(put.headers.get('etag')).toBe(`"${createHash('md5').update('hello').digest('hex')}"`);
    const empty = await call(`${base}/v1/site/${acme.site}/file/upload-url`, { method: 'POST', headers: json });
    expect(empty.status).toBe(400);
    const gzipped = await call(`${base}/v1/site/${acme.site}/file/upload-url`, {
      method: 'POST',
      headers: { ...json, 'content-encoding': 'gzip' },
      body: gzipSync('{"contentType":"a/b"}'),
    });
    expect(gzipped.status).toBe(201);
  });
});

it('says https where the app trusts its proxy', async () => {
  const base = await serve((app) => app.set('trust proxy', true).use('/p', partnerRouter(mock)));
  const started = await call(`${base}/p/v1/site/${acme.site}/file/upload-url`, {
    method: 'POST',
    headers: { ...json, 'x-forwarded-proto': 'https' },
    body: '{"contentType":"a/b"}',
  });
  expect((await started.json()).uploadUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/p\/storage\//);
});

it('an injected fault breaks the connection of an app too', async () => {
  const base = await serve((app) => app.use(partnerRouter(mock)));
  mock.faults.add({ operationId: 'getHealth', drop: 'before', times: 1 });
  await expect(call(`${base}/v1/health`)).rejects.toThrow('fetch failed');
  expect((await call(`${base}/v1/health`)).status).toBe(200);
});
