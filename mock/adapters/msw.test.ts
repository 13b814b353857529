import { createHash } from 'node:crypto';
import https from 'node:https';
import { http } from 'msw';
import { type SetupServer, setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../create-mock.ts';
import { acme } from '../proof/acme.ts';
import { memoryFiles } from '../storage/files.ts';
import { partnerHandlers } from './msw.ts';

const baseUrl = 'https://connect.example.com';
const other = 'https://connect.example.com/partner';
let mock: Mock;
let second: Mock;
let server: SetupServer;
beforeAll(() => {
  // Whatever the handlers under test leave alone ends here.
  server = setupServer(http.all('*', () => new Response(null, { status: 299 })));
  server.listen({ onUnhandledFrame: 'error' });
});
afterAll(() => server.close());
beforeEach(async () => {
  mock = await createMock({ rateLimit: false, files: memoryFiles() });
  second = await createMock({ rateLimit: false, files: memoryFiles() });
  server.use(...partnerHandlers(mock, { baseUrl }), ...partnerHandlers(second, { baseUrl: `${other}/` }));
});
afterEach(() => server.resetHandlers());

const call = (url: string, { headers, ...init }: RequestInit = {}) =>
  fetch(url, { ...init, headers: { 'x-api-key': acme.full, ...headers } });
const json = { 'content-type': 'application/json' };
const label = `/v1/conversation/${acme.open}/label/${acme.gateCode}`;
const start = async (base: string) => {
  const body = JSON.stringify({ contentType: 'text/plain' });
  return (await call(`${base}/v1/site/${acme.site}/file/upload-url`, { method: 'POST', headers: json, body })).json();
};

/** A body of some pieces that come one by one. */
const streamed = (pieces: number, size: number) => {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ === pieces) controller.close();
      else controller.enqueue(new Uint8Array(size).fill(66));
    },
  });
};

describe('msw handlers in Node', () => {
  it('answer as the mock does, throttling and refusals included', async () => {
    expect(await (await call(`${baseUrl}/v1/health`)).json()).toEqual({ status: 'ok' });
    const refused = await fetch(`${baseUrl}/v1/health`);
    expect([refused.status, (await refused.json()).error.code]).toEqual([403, 'FORBIDDEN']);
    expect((await call(`${baseUrl}/v1/nothing?x=1`)).status).toBe(404);
    expect(mock.journal.list({ path: '/v1/nothing' })).toHaveLength(1);
  });

  it('answer HEAD without a body, and a path with more encoded than it needs', async () => {
    const head = await call(`${baseUrl}/v1/health`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '15', '']);
    expect((await call(`${other}/v1/l%61bels`)).status).toBe(200);
  });

  it.each([baseUrl, other])('take a streamed upload at the URL they issue, below %s', async (base) => {
    const { uploadUrl, fileKey } = await start(base);
    expect(uploadUrl.startsWith(`${base}/storage/acme/`)).toBe(true);
    const put = await fetch(uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain', 'content-length': '1000000' },
      body: streamed(50, 20_000),
      duplex: 'half',
    } as RequestInit);
    const md5 = createHash('md5').update(Buffer.alloc(1_000_000, 66)).digest('hex');
    expect([put.status, put.headers.get('etag')]).toEqual([200, `"${md5}"`]);
    const body = JSON.stringify({ fileKey });
    const registered = await call(`${base}/v1/site/${acme.site}/file`, { method: 'POST', headers: json, body });
    expect((await registered.json()).size).toBe(1_000_000);
  });

  it('refuse a streamed body over the limit without reading the rest', async () => {
    let pulled = 0;
    const large = new ReadableStream({
      pull(controller) {
        if (pulled++ === 60) controller.close();
        else controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    const refused = await call(`${baseUrl}/v1/site/${acme.site}/file/upload-url`, {
      method: 'POST',
      headers: json,
      body: large,
      duplex: 'half',
    } as RequestInit);
    expect(refused.status).toBe(413);
    expect(pulled).toBeLessThan(40);
  });

  it('two mocks in one process share no state', async () => {
    await call(baseUrl + label, { method: 'PUT' });
    const carried = async (base: string) =>
      (await (await call(`${base}/v1/conversation/${acme.open}/context`)).json()).labels.includes('gate code needed');
    expect([await carried(baseUrl), await carried(other)]).toEqual([true, false]);
    expect(second.journal.list()).toHaveLength(1);
  });

  it('leave all other requests alone', async () => {
    for (const url of [`${baseUrl}/other`, 'https://connect.example.com.evil.test/v1/labels', `${other}x/v1/labels`]) {
      expect((await call(url)).status).toBe(299);
    }
    expect([...mock.journal.list(), ...second.journal.list()]).toEqual([]);
  });

  it('serve clients of node:http as well', async () => {
    const status = await new Promise((resolve, reject) => {
      const outgoing = https.request(
        baseUrl + label,
        { method: 'DELETE', headers: { 'x-api-key': acme.full } },
        (incoming) => {
          incoming.resume().on('end', () => resolve(incoming.statusCode));
        },
      );
      outgoing.on('error', reject).end();
    });
    expect(status).toBe(200);
  });

  it.each([{ drop: 'before' }, { drop: 'after' }, { damage: 'truncated' }] as const)(
    '%j is a network error, once',
    async (fault) => {
      mock.faults.add({ ...fault, times: 1 });
      await expect(call(`${baseUrl}/v1/health`)).rejects.toThrow(TypeError);
      expect((await call(`${baseUrl}/v1/health`)).status).toBe(200);
    },
  );

  it.each(['', 'connect.example.com', '/v1', 'ftp://connect.example.com'])('base URL "%s" is refused', (wrong) => {
    expect(() => partnerHandlers(mock, { baseUrl: wrong })).toThrow('give an absolute URL such as');
  });
});
