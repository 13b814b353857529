import { expect } from 'vitest';
import { mock, test } from './partner-test.ts';

test('a request that is safe to repeat is repeated after a lost reply', async ({ partner: { client, tenant } }) => {
  mock.faults.add({ tenant: tenant.name, operationId: 'applyConversationLabel', drop: 'after', times: 1 });
  await client.applyLabel(tenant.conversations.open, tenant.labels['gate code needed']);
  mock.journal.verify({ tenant: tenant.name, operationId: 'applyConversationLabel' }, 2);
  expect((await client.context(tenant.conversations.open)).labels).toContain('gate code needed');
});

test('a request that is not safe to repeat is sent once', async ({ partner: { client, tenant } }) => {
  mock.faults.add({ tenant: tenant.name, operationId: 'startSiteFileUpload', drop: 'before', times: 1 });
  const file = { name: 'a', contentType: 'a/b', read: async () => new Uint8Array(1) };
  await expect(client.upload(tenant.sites.current, file)).rejects.toThrow(TypeError);
  mock.journal.verify({ tenant: tenant.name, operationId: 'startSiteFileUpload' }, 1);
});
