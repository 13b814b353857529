import { setupWorker } from 'msw/browser';
import { partnerHandlers } from '../../adapters/msw.ts';
import { createMock } from '../../create-mock.ts';
import { acme } from '../acme.ts';

/** What the page of the test does, in a real browser: two mocks behind one service worker, each called by fetch. */
async function visit() {
  const elsewhere = 'https://connect.example.com';
  const mock = await createMock({ rateLimit: { burst: 6 } });
  const second = await createMock({ rateLimit: false });
  const worker = setupWorker(
    ...partnerHandlers(mock, { baseUrl: elsewhere }),
    ...partnerHandlers(second, { baseUrl: '/partner' }),
  );
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' });

  const call = (url: string, { headers, ...init }: RequestInit = {}) =>
    fetch(url, { ...init, headers: { 'x-api-key': acme.full, ...headers } });
  const json = { 'content-type': 'application/json' };

  const upload = async (base: string, bytes: Uint8Array<ArrayBuffer>) => {
    const site = `${base}/v1/site/${acme.site}/file`;
    const started = await call(`${site}/upload-url`, {
      method: 'POST',
      headers: json,
      body: '{"contentType":"image/png"}',
    });
    const { uploadUrl, fileKey } = await started.json();
    const put = await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: bytes });
    const registered = await call(site, { method: 'POST', headers: json, body: JSON.stringify({ fileKey }) });
    return { uploadUrl, put: put.status, etag: put.headers.get('etag'), registered: await registered.json() };
  };

  const label = `/v1/conversation/${acme.open}/label/${acme.gateCode}`;
  const carried = async (base: string) =>
    (await (await call(`${base}/v1/conversation/${acme.open}/context`)).json()).labels.includes('gate code needed');

  const uploads = {
    elsewhere: await upload(elsewhere, new Uint8Array(2_000_000).fill(7)),
    here: await upload('/partner', new Uint8Array([1, 2, 3])),
  };
  const applied = (await call(elsewhere + label, { method: 'PUT' })).status;
  const labels = { elsewhere: await carried(elsewhere), here: await carried('/partner') };
  mock.faults.add({ drop: 'before', times: 1 });
  const dropped = await call(`${elsewhere}/v1/health`).catch((error: unknown) => String(error));
  mock.clock.freeze();
  const burst = await Promise.all(Array.from({ length: 8 }, () => call(`${elsewhere}/v1/health`)));
  const asset = await (await fetch('/asset.txt')).text();
  return {
    uploads,
    applied,
    labels,
    dropped,
    throttled: burst.filter(({ status }) => status === 429).length > 0,
    retryAfter: burst.find(({ status }) => status === 429)?.headers.get('retry-after'),
    asset,
    exchanges: [mock.journal.count(), second.journal.count()],
  };
}

export type Visit = Awaited<ReturnType<typeof visit>>;

// The test calls it by this name.
Object.assign(globalThis, { visit });
