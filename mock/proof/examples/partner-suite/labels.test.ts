import { expect } from 'vitest';
import { mock, test } from './partner-test.ts';

test('labels are a set, on a closed conversation too', async ({ partner: { client, tenant } }) => {
  const [conversation, label] = [tenant.conversations.closed, tenant.labels['gate code needed']];
  const ids = ({ labels }: { labels: { id: string }[] }) => labels.map((carried) => carried.id);
  expect(ids(await client.applyLabel(conversation, label))).toContain(label);
  expect(ids(await client.applyLabel(conversation, label)).filter((carried) => carried === label)).toHaveLength(1);
  expect(ids(await client.removeLabel(conversation, label))).not.toContain(label);
  mock.journal.verify({ tenant: tenant.name, operationId: 'applyConversationLabel', status: 200 }, 2);
});

test('a test begins with the labels of the fixture, although other tests changed them', async ({
  partner: { client, tenant },
}) => {
  expect((await client.context(tenant.conversations.open)).labels).not.toContain('gate code needed');
  await client.applyLabel(tenant.conversations.open, tenant.labels['gate code needed']);
});

test('the next test does so too', async ({ partner: { client, tenant } }) => {
  expect((await client.context(tenant.conversations.open)).labels).not.toContain('gate code needed');
});
