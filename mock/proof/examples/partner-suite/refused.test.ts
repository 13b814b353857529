import { expect } from 'vitest';
import { acme, mock, test } from './partner-test.ts';

test('a refused request is not sent again', async ({ partner: { client, tenant } }) => {
  // The original's id: this tenant is a copy, and has others.
  await expect(client.context(acme.conversation)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  mock.journal.verify({ tenant: tenant.name }, 1);
  expect(mock.journal.list({ tenant: tenant.name })[0]?.why).toContain('it belongs to the tenant acme');
});

test('private labels are nowhere to be seen', async ({ partner: { client, id, tenant } }) => {
  const hidden = mock.labels
    .of(tenant.name, { conversation: id(acme.conversation) })
    .filter(({ visibility }) => visibility === 'private');
  expect(hidden.length).toBeGreaterThan(0);
  const seen = JSON.stringify([await client.context(id(acme.conversation)), await client.labels()]);
  for (const label of hidden) expect(seen).not.toContain(label.name);
});
