import { expect, it } from 'vitest';
import type { OperationId } from '../spec/operations.ts';
import { createMock } from './create-mock.ts';
import { acme } from './proof/acme.ts';
import { KeptReplies } from './replies.ts';
import type { Site } from './store/records.ts';

const mock = await createMock({ rateLimit: false });
const tenant = mock.tenant('acme');
const get = (url: string) =>
  mock.handle({ method: 'GET', url, headers: { 'x-api-key': acme.full }, origin: '', body: null });

it('keeps the last thousand replies about records until the labels of the record change', () => {
  const replies = new KeptReplies();
  const holders = [...Array(1_001)].map((_, i) => ({ id: String(i), seededLabels: [] as string[] }) as unknown as Site);
  const [first, last] = [holders[0] as Site, holders[1_000] as Site];
  let made = 0;
  const make = () => ({ status: 200, headers: {}, body: String(++made) });
  const about = (holder: Site, id: OperationId = 'applySiteLabel') => replies.about(holder, id, tenant, make).body;
  expect([about(first), about(first), about(first, 'removeSiteLabel')]).toEqual(['1', '1', '2']);
  tenant.setLabels(first, ['x']);
  expect([about(first), about(first)]).toEqual(['3', '3']);
  for (const holder of holders) about(holder);
  expect([about(last), about(first)]).toEqual(['1003', '1004']);
  const large = { status: 200, headers: {}, body: 'x'.repeat(20_000) };
  expect(replies.about(last, 'getConversationContext', tenant, () => large)).toBe(large);
  expect(about(last, 'getConversationContext')).toBe('1005');
  mock.reset('acme');
});

it('answers with the same object as long as nothing has changed', async () => {
  const url = `/v1/conversation/${acme.open}/context`;
  expect(await get(url)).toBe(await get(url));
});

it('shows a change of labels at once, even if it undoes an earlier one', async () => {
  const ask = async (method: string, path: string) => {
    const headers = { 'x-api-key': acme.full };
    return JSON.parse((await mock.handle({ method, url: path, headers, origin: '', body: null })).body ?? '').labels;
  };
  const path = `/v1/conversation/${acme.open}`;
  const context = () => ask('GET', `${path}/context`);
  const before = await context();
  expect(await context()).toEqual(before);
  const applied = await ask('PUT', `${path}/label/${acme.gateCode}`);
  expect(await ask('PUT', `${path}/label/${acme.gateCode}`)).toEqual(applied);
  expect(await context()).toContain('gate code needed');
  expect((await ask('DELETE', `${path}/label/${acme.gateCode}`)).length).toBe(applied.length - 1);
  expect(await context()).toEqual(before);
  mock.labels.apply('acme', { conversation: acme.open }, 'gate code needed');
  expect(await context()).toContain('gate code needed');
  mock.reset();
  expect(await context()).toEqual(before);
});
