import { expect } from 'vitest';
import { acme, mock, test } from './partner-test.ts';

test('labels are a set, on a closed conversation too', async ({ partner: { client, id, tenant } }) => {
  const [conversation, label] = [id(acme.closedConversation), id(acme.gateCode)];
  const ids = ({ labels }: { labels: { id: string }[] }) => labels.map((carried) => carried.id);
  expect(ids(await client.applyLabel(conversation, label))).toContain(label);
  expect(ids(await client.applyLabel(conversation, label)).filter((carried) => carried === label)).toHaveLength(1);
  expect(ids(await client.removeLabel(conversation, label))).not.toContain(label);
  mock.journal.verify({ tenant: tenant.name, operationId: 'applyConversationLabel', status: 200 }, 2);
});

test('a test begins with the labels of the fixture, although other tests changed them', async ({
  partner: { client, id },
}) => {
  expect((await client.context(id(acme.conversation))).labels).not.toContain('gate code needed');
  await client.applyLabel(id(acme.conversation), id(acme.gateCode));
});

test('the next test does so too', async ({ partner: { client, id } }) => {
  expect((await client.context(id(acme.conversation))).labels).not.toContain('gate code needed');
});
