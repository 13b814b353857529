import { beforeEach, describe, expect, it } from 'vitest';
import { createMock, type Mock } from './create-mock.ts';
import { acme } from './proof/acme.ts';
import { contractClient, type Json } from './proof/contract-client.ts';
import { defaultSeeds } from './seed/generated/tenants.ts';
import { linkKey } from './store/records.ts';

const seed = defaultSeeds.find(({ tenant }) => tenant === 'acme');
const privateLabels = (seed?.labels ?? []).filter(({ visibility }) => visibility === 'private');

const holders = {
  'open conversation': { kind: 'Conversation', params: { id: acme.open }, echo: { conversationId: acme.open } },
  'closed conversation': { kind: 'Conversation', params: { id: acme.closed }, echo: { conversationId: acme.closed } },
  site: { kind: 'Site', params: { id: acme.site }, echo: { siteId: acme.site } },
  'legacy site': { kind: 'Site', params: { id: acme.legacySite }, echo: { siteId: acme.legacySite } },
  'client-site link': {
    kind: 'ClientSite',
    params: { clientId: acme.client, siteId: acme.site },
    echo: { clientId: acme.client, siteId: acme.site },
  },
} as const;

let mock: Mock;
let client: ReturnType<typeof contractClient>;
beforeEach(async () => {
  mock = await createMock({ rateLimit: false });
  client = contractClient(mock, acme.full);
});

describe.each(Object.entries(holders))('labels of a %s', (_, { kind, params, echo }) => {
  const apply = (labelId: string) => client.call(`apply${kind}Label`, { params: { ...params, labelId } });
  const remove = (labelId: string) => client.call(`remove${kind}Label`, { params: { ...params, labelId } });
  const ids = (body: Json): string[] => body.labels.map((label: { id: string }) => label.id);

  it('is a set: apply adds, remove removes, and repeating either changes nothing', async () => {
    const without = (await remove(acme.gateCode)).body;
    expect(ids(without)).not.toContain(acme.gateCode);
    const first = await apply(acme.gateCode);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ ...echo, labels: first.body.labels });
    expect(new Set(ids(first.body))).toEqual(new Set([...ids(without), acme.gateCode]));
    expect((await apply(acme.gateCode)).body).toEqual(first.body);
    expect((await remove(acme.gateCode)).body).toEqual(without);
    expect((await remove(acme.gateCode)).body).toEqual(without);
  });

  it('are listed whole, by name', async () => {
    await apply(acme.gateCode);
    const { labels } = (await apply(acme.vip)).body;
    const names = labels.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...names].sort());
    expect(ids({ labels })).toEqual(expect.arrayContaining([acme.gateCode, acme.vip]));
  });

  it.each(privateLabels)('private label $name can neither be applied nor removed, and shows nowhere', async (label) => {
    for (const answer of [await apply(label.id), await remove(label.id)]) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    const { text } = await apply(acme.vip);
    expect(text).not.toContain(label.id);
    expect(text).not.toContain(label.name);
  });

  it('refuses unknown labels with 404 and malformed ones with 400, and changes nothing', async () => {
    const before = (await apply(acme.vip)).body;
    expect((await apply('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    for (const malformed of [
      'vip',
      '1abe1001',
      `${acme.vip}0`,
      'urn:uuid:1abe1001-0000-4000-8000-000000000001',
      '%20',
      'x'.repeat(5000),
    ]) {
      const { status, body } = await apply(malformed);
      expect([status, body.error.message]).toEqual([400, 'path.labelId must be a UUID.']);
    }
    expect((await apply(acme.vip)).body).toEqual(before);
  });
});

it('private labels do not change when public ones do', async () => {
  const tenant = mock.tenants.get('acme');
  const conversation = tenant?.conversations.get(acme.open);
  const site = tenant?.sites.get(acme.site);
  const link = tenant?.records.links.get(linkKey(acme.client, acme.site));
  const carried = () =>
    [conversation, site, link].map((holder) =>
      [...((holder && tenant?.labelsOf(holder)) ?? [])].filter((id) => privateLabels.some((label) => label.id === id)),
    );
  const before = carried();
  expect(before.every((labels) => labels.length > 0)).toBe(true);
  for (const { kind, params } of Object.values(holders)) {
    await client.call(`apply${kind}Label`, { params: { ...params, labelId: acme.gateCode } });
    await client.call(`remove${kind}Label`, { params: { ...params, labelId: acme.vip } });
  }
  expect(carried()).toEqual(before);
});

it('labels show in the context by name, at once', async () => {
  const labels = async () => (await client.call('getConversationContext', { params: { id: acme.open } })).body.labels;
  const before = await labels();
  await client.call('applyConversationLabel', { params: { id: acme.open, labelId: acme.gateCode } });
  expect(await labels()).toEqual([...before, 'gate code needed'].sort());
  await client.call('removeConversationLabel', { params: { id: acme.open, labelId: acme.gateCode } });
  expect(await labels()).toEqual(before);
});

it('two mocks share no labels', async () => {
  const other = contractClient(await createMock({ rateLimit: false }), acme.full);
  const before = await other.call('getConversationContext', { params: { id: acme.open } });
  await client.call('applyConversationLabel', { params: { id: acme.open, labelId: acme.gateCode } });
  expect((await other.call('getConversationContext', { params: { id: acme.open } })).body).toEqual(before.body);
});

it('a label that was put on and taken off again leaves no trace in the snapshot', async () => {
  // Only that the key was used may differ.
  const state = async () =>
    JSON.stringify(await mock.snapshot(), (name, value) => (/^(lastUsedAt|takenAt|clock)$/.test(name) ? 0 : value));
  const before = await state();
  const params = { id: acme.open, labelId: acme.gateCode };
  await client.call('applyConversationLabel', { params });
  expect(await state()).not.toBe(before);
  await client.call('removeConversationLabel', { params });
  expect(await state()).toBe(before);
});
