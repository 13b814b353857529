import { afterEach, beforeEach, expect, it } from 'vitest';
import { createServedMock, type Mock } from '../adapters/create-served-mock.ts';
import { acme } from '../proof/acme.ts';

let mock: Mock;
let url: string;
beforeEach(async () => {
  mock = await createServedMock();
  ({ url } = await mock.listen({ port: 0 }));
});
afterEach(() => mock.close());

const labels = () => fetch(`${url}/v1/labels`, { headers: { 'x-api-key': acme.full } });

it('a dropped connection gets no reply, and the next request is served', async () => {
  mock.faults.add({ times: 1, drop: 'before' });
  await expect(labels()).rejects.toThrow('fetch failed');
  expect((await labels()).status).toBe(200);
  expect(mock.journal.list().map(({ reply }) => reply.broken)).toEqual(['dropped', null]);
});

it('a truncated body breaks off after the headers', async () => {
  mock.faults.add({ times: 1, damage: 'truncated' });
  const reply = await labels();
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow('terminated');
});

it('a malformed body arrives whole and is not JSON', async () => {
  mock.faults.add({ times: 1, damage: 'malformed' });
  await expect((await labels()).json()).rejects.toThrow(SyntaxError);
});

it('latency passes in real time and not on the clock of the mock', async () => {
  mock.clock.freeze();
  const at = mock.clock.now();
  mock.faults.add({ times: 1, latency: '60ms' });
  const startedAt = performance.now();
  await labels();
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
  expect(mock.clock.now()).toBe(at);
});
