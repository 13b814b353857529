import { expect, it } from 'vitest';
import { createMock } from './create-mock.ts';
import { acme } from './proof/acme.ts';
import { contractClient } from './proof/contract-client.ts';
import { defaultSeeds } from './seed/generated/tenants.ts';

const seed = defaultSeeds.find(({ tenant }) => tenant === 'acme');
const mock = await createMock({ rateLimit: false });
const client = contractClient(mock, acme.full);
const context = async (id: string) => (await client.call('getConversationContext', { params: { id } })).body;

it.each(seed?.conversations ?? [])('context of "$subject" keeps the contract', async ({ id }) => {
  expect(await context(id)).toBeTypeOf('object');
});

it('context/without-the-record: has the documented fields and no others', async () => {
  expect(Object.keys(await context(acme.open)).sort()).toEqual(
    ['labels', 'messages', 'participants', 'requester', 'sites', 'status', 'subject', 'type', 'urgency'].sort(),
  );
});

it('shows people by name, sites with their address, and the other conversations of a site', async () => {
  const { participants, sites } = await context(acme.open);
  expect(participants.agents.length).toBeGreaterThan(0);
  expect(participants.agents.every((agent: string) => seed?.users.some(({ name }) => name === agent))).toBe(true);
  expect(participants.clients[0]).toEqual({
    name: expect.any(String),
    primaryPhoneNumber: expect.any(String),
    primaryEmail: expect.any(String),
  });
  expect(sites[0]).toMatchObject({
    id: acme.site,
    address: expect.stringContaining(','),
    serviceLevel: expect.any(String),
  });
  const own = seed?.conversations.find(({ id }) => id === acme.open);
  const friendlyIds = sites[0].associatedConversations.map(({ friendlyId }: { friendlyId: string }) => friendlyId);
  expect(friendlyIds.length).toBeGreaterThan(0);
  expect(friendlyIds).not.toContain(own?.friendlyId);
});

it('leaves fields without a value out', async () => {
  const minimal = seed?.conversations.find(
    (conversation) => conversation.subject === undefined || conversation.type === undefined,
  );
  const shown = await context(minimal?.id ?? '');
  expect(JSON.stringify(shown)).not.toContain('null');
});

it('the packaged conversations together use every field of a message and an attachment', () => {
  const messages = (seed?.conversations ?? []).flatMap((conversation) => conversation.messages ?? []);
  const fields = (records: readonly object[]) => [...new Set(records.flatMap((record) => Object.keys(record)))].sort();
  expect(fields(messages)).toEqual(['attachments', 'author', 'createdAt', 'isInternal', 'rawBody', 'role', 'text']);
  const attachments = messages.flatMap((message) => message.attachments ?? []);
  expect(fields(attachments)).toEqual(['content', 'title', 'transcriptionId', 'type']);
  expect(messages.some(({ isInternal }) => isInternal)).toBe(true);
});

it('answers the record, the site and the client', async () => {
  expect((await client.call('getConversation', { params: { id: acme.open } })).body.id).toBe(acme.open);
  const site = (await client.call('getSite', { params: { id: acme.site } })).body;
  expect(site.clients.map(({ id }: { id: string }) => id)).toContain(site.primaryClientId);
  expect(JSON.stringify(site)).not.toContain('1abe9');
  expect((await client.call('getClient', { params: { id: acme.client } })).body.id).toBe(acme.client);
});

it.each([
  ['getConversation', { id: 'nope' }, 'path.id must be a UUID.'],
  ['getConversationContext', { id: '42' }, 'path.id must be a UUID.'],
  ['getClient', { id: 'c11e' }, 'path.id must match the pattern ^ovcid-.*$.'],
  [
    'applyClientSiteLabel',
    { clientId: 'c11e', siteId: '1', labelId: acme.vip },
    'path.clientId must match the pattern ^ovcid-.*$.',
  ],
] as const)('%s of %o is 400 and names the parameter', async (id, params, message) => {
  const { status, body } = await client.call(id, { params });
  expect([status, body.error]).toEqual([400, { code: 'BAD_REQUEST', message }]);
});

it('ignores query parameters it does not know', async () => {
  expect((await client.send('GET', `/v1/conversation/${acme.open}?include=everything`)).status).toBe(200);
});
