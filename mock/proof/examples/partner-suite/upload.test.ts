import { expect } from 'vitest';
import { mock, test } from './partner-test.ts';

test('a file goes through the three steps and is on the site', async ({ partner: { client, tenant } }) => {
  const bytes = new TextEncoder().encode('a photo of the meter');
  const file = { name: 'meter.png', contentType: 'image/png', read: async () => bytes };
  const registered = await client.upload(tenant.sites.current, file);
  expect(registered).toMatchObject({ name: 'meter.png', contentType: 'image/png', size: bytes.length });
  expect(await mock.files.bytes(registered.fileKey)).toEqual(bytes);
  expect(mock.files.list(tenant.name)).toMatchObject([{ site: tenant.sites.current, state: 'registered' }]);
});
