import { expect, it } from 'vitest';
import { createMock } from './create-mock.ts';
import { acme, globex } from './proof/acme.ts';

const mock = await createMock({ rateLimit: false });
const get = (url: string) =>
  mock.handle({ method: 'GET', url, headers: { 'x-api-key': acme.full }, origin: '', body: null });

it('answers with the same object as long as nothing has changed', async () => {
  const url = `/v1/conversation/${acme.open}/context`;
  expect(await get(url)).toBe(await get(url));
});

it('keeps no long reply, so that a thousand of them fill no memory', async () => {
  const { id } = await mock.tenant('globex').sites.create({ id: 'x'.repeat(20_000) });
  const url = `/v1/site/${id}`;
  const ask = () => mock.handle({ method: 'GET', url, headers: { 'x-api-key': globex.full }, origin: '', body: null });
  const first = await ask();
  expect([first.status, (await ask()) === first]).toEqual([200, false]);
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

it('shows a change of another record at once', async () => {
  const url = `/v1/conversation/${acme.open}/context`;
  const tenant = mock.tenant('acme');
  const [site = ''] = tenant.conversations.get(acme.open)?.sites ?? [];
  const other = { id: crypto.randomUUID(), subject: 'A second one', sites: [site] };
  await tenant.conversations.create(other);
  expect((await get(url)).body).toContain('A second one');
  await tenant.conversations.update(other.id, { subject: 'Another subject' });
  expect((await get(url)).body).toContain('Another subject');
  await tenant.conversations.delete(other.id);
  expect((await get(url)).body).not.toContain('Another subject');
});
