import { expect } from 'vitest';
import { mock, test } from './partner-test.ts';

test('a refused request is not sent again', async ({ partner: { client, tenant } }) => {
  // The original's id: this tenant is a copy, and has others.
  await expect(client.context('c0000001-0000-4000-8000-000000000001')).rejects.toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
  mock.journal.verify({ tenant: tenant.name }, 1);
  expect(mock.journal.list({ tenant: tenant.name })[0]?.why).toContain('it belongs to the tenant acme');
});

test('private labels are nowhere to be seen', async ({ partner: { client, tenant } }) => {
  const hidden = mock.labels
    .of(tenant.name, { conversation: tenant.conversations.open })
    .filter(({ visibility }) => visibility === 'private');
  expect(hidden.length).toBeGreaterThan(0);
  const seen = JSON.stringify([await client.context(tenant.conversations.open), await client.labels()]);
  for (const label of hidden) expect(seen).not.toContain(label.name);
});
