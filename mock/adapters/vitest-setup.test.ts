import { afterEach, expect, it, vi } from 'vitest';
import startMock from './vitest-setup.ts';

afterEach(() => vi.unstubAllEnvs());

/** What the set-up provides. */
async function provided(): Promise<{ url: string; stop: () => Promise<void> }> {
  let url = '';
  const stop = await startMock({
    provide: (_: string, value: unknown) => {
      url = String(value);
    },
  });
  return { url, stop };
}

it('starts a mock, and stops it', async () => {
  const { url, stop } = await provided();
  expect((await fetch(`${url}/v1/health`)).status).toBe(403);
  await stop();
  await expect(fetch(`${url}/v1/health`)).rejects.toThrow();
});

it('uses the mock of certify if there is one', async () => {
  vi.stubEnv('PARTNERKIT_URL', 'http://127.0.0.1:1');
  const { url, stop } = await provided();
  expect(url).toBe('http://127.0.0.1:1');
  await stop();
});
