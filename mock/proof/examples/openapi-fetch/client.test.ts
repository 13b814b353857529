import createClient from 'openapi-fetch';
import { createMock } from 'partnerkit';
import type { paths } from 'partnerkit/types';
import { afterAll, expect, test } from 'vitest';

const mock = await createMock();
const { url } = await mock.listen({ port: 0 });
afterAll(() => mock.close());
const { secret = '' } = mock.tenants.create({ from: 'acme', name: 'typed' }).keys.full ?? {};
const client = createClient<paths>({ baseUrl: url, headers: { 'x-api-key': secret } });

test('paths, parameters and replies are typed by the contract', async () => {
  const { data, error } = await client.GET('/v1/labels');
  expect(error).toBeUndefined();
  expect(data?.labels.map(({ name }) => name)).toContain('vip');
});

test('refusals are typed by the contract too', async () => {
  const path = { id: 'c0000009-0000-4000-8000-000000000009' };
  const { error, response } = await client.GET('/v1/conversation/{id}/context', { params: { path } });
  expect(response.status).toBe(404);
  expect(error).toMatchObject({ error: { code: 'NOT_FOUND' } });
});
