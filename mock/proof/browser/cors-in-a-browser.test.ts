import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onLoopback } from '../../../spec/proof/processes.ts';
import { createMock } from '../../index.ts';
import { acme } from '../acme.ts';
import { findChromium, sharedChromium } from '../chromium.ts';

const chromium = findChromium();

describe.skipIf(chromium === null)('a page of another origin', () => {
  const stop: (() => unknown)[] = [];
  let api = '';
  let ask: (script: string) => Promise<unknown>;

  beforeAll(async () => {
    const mock = await createMock({ rateLimit: { perSecond: 0.01, burst: 2 } });
    api = (await mock.listen({ port: 0 })).url;
    const server = createServer((_request, response) => response.end('<!doctype html><title>page</title>'));
    const address = await onLoopback(server);
    const page = await (await sharedChromium()).newPage();
    stop.push(
      () => page.close(),
      () => server.close(),
      () => mock.close(),
    );
    await page.goto(address);
    ask = (script) => page.evaluate(script);
  });
  afterAll(async () => {
    for (const each of stop) await each();
  });

  const call = (path: string, init = '') =>
    `fetch('${api}${path}', { headers: { 'x-api-key': '${acme.full}', 'content-type': 'application/json' }, credentials: 'include', ${init} })`;

  it('uploads with credentials, and reads ETag and Retry-After', async () => {
    const uploaded = await ask(`(async () => {
      const started = await ${call(`/v1/site/${acme.site}/file/upload-url`, `method: 'POST', body: '{"contentType":"a/b"}'`)};
      const { uploadUrl } = await started.json();
      const put = await fetch(uploadUrl, { method: 'PUT', credentials: 'include', headers: { 'content-type': 'a/b' }, body: 'bytes' });
      return [started.status, put.status, put.headers.get('etag')];
    })()`);
    expect(uploaded).toEqual([201, 200, expect.stringMatching(/^"[0-9a-f]{32}"$/)]);
    const last = `/v1/conversation/${acme.open}/label/${acme.vip}`;
    const throttled = await ask(`(async () => {
      const replies = [await ${call(last, "method: 'PUT'")}, await ${call(last, "method: 'DELETE'")}];
      return replies.map((reply) => [reply.status, reply.headers.get('retry-after')]);
    })()`);
    expect(throttled).toEqual([
      [200, null],
      [429, '100'],
    ]);
  });

  it('cannot reach the control API', async () => {
    expect(await ask(`${call('/_mock/tenants')}.catch(String)`)).toContain('Failed to fetch');
  });
});
