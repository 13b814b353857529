import { connect } from 'node:net';
import { setupServer } from 'msw/node';
import { afterEach, expect, it, vi } from 'vitest';
import { createMock } from '../create-mock.ts';
import { acme } from '../proof/acme.ts';
import { createServedMock } from './create-served-mock.ts';
import { partnerHandlers } from './msw.ts';
import { remoteTenant } from './partner-tenant.ts';
import startMock from './vitest-setup.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const labels = async (url: string) => (await fetch(`${url}/v1/labels`, { headers: { 'x-api-key': acme.full } })).status;

/** The mock of `partnerkit/vitest/setup`. */
async function sharedMock() {
  let url = '';
  const stop = await startMock({
    provide: (_: string, value: unknown) => {
      url = String(value);
    },
  });
  return { url, [Symbol.asyncDispose]: stop };
}

it('a test with fake timers does not wait for a connection that an earlier one kept', { timeout: 20_000 }, async () => {
  await using mock = await sharedMock();
  expect(await labels(mock.url)).toBe(200);
  vi.useFakeTimers();
  expect([await labels(mock.url), await labels(mock.url)]).toEqual([200, 200]);
});

it('a tenant can be used and removed under fake timers, and with a fetch that is not the real one', async () => {
  await using mock = await sharedMock();
  const fetched = vi.fn(() => Promise.reject(new Error('not for the mock')));
  vi.stubGlobal('fetch', fetched);
  vi.useFakeTimers();
  {
    await using partner = await remoteTenant(mock.url);
    await partner.clock.advance('5m');
    await partner.journal.verify({ operationId: 'listLabels' }, 0);
  }
  vi.unstubAllGlobals();
  expect(fetched).not.toHaveBeenCalled();
  const { tenants } = (await (await fetch(`${mock.url}/_mock/tenants`)).json()) as { tenants: unknown[] };
  expect(tenants).toHaveLength(3);
});

it.each(['setTimeout', 'setImmediate', 'all'] as const)(
  'latency passes, and a mock closes, while %s stands still',
  async (toFake) => {
    const mock = await createServedMock({ latency: 1 });
    const { url, port } = await mock.listen({ port: 0, keepAlive: false });
    // A request that never ends: only the time limit of `close` ends it.
    const socket = connect(port, '127.0.0.1', () => socket.write('POST /v1/labels HTTP/1.1\r\nhost: x\r\n'));
    await new Promise((resolve) => socket.once('connect', resolve));
    const broken = new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined));
    vi.useFakeTimers(toFake === 'all' ? {} : { toFake: [toFake] });
    expect(await labels(url)).toBe(200);
    await mock.close();
    await broken;
  },
  20_000,
);

it('msw answers after its latency while the timers stand still', async () => {
  await using mock = await createMock({ latency: 1 });
  const server = setupServer(...partnerHandlers(mock, { baseUrl: 'https://connect.example.com' }));
  server.listen();
  vi.useFakeTimers();
  expect(await labels('https://connect.example.com')).toBe(200);
  server.close();
}, 20_000);
