import { expect, it } from 'vitest';
import { createMock, type Mock } from '../in-process.ts';
import { acme } from '../proof/acme.ts';

const id = 'c0000099-0000-4000-8000-000000000099';
const site = 'ovaid-517e0099-0000-4000-8000-000000000099';

const context = async (mock: Mock, conversation: string) => {
  const url = `/v1/conversation/${conversation}/context`;
  const headers = { 'x-api-key': acme.full };
  const reply = await mock.handle({ method: 'GET', url, headers, origin: 'http://mock', body: null });
  return { status: reply.status, body: JSON.parse(String(reply.body)) };
};

it('creates, updates and deletes records, and replies show it at once', async () => {
  await using mock = await createMock({ rateLimit: false });
  const { conversations, sites } = mock.tenant('acme');
  expect((await context(mock, id)).status).toBe(404);
  await sites.create({ id: site, address1: '9 New Road', labels: ['vip'] });
  await conversations.create({ id: id.toUpperCase(), subject: 'No hot water', labels: ['vip'], sites: [site] });
  expect((await context(mock, id)).body).toMatchObject({
    subject: 'No hot water',
    labels: ['vip'],
    sites: [{ id: site, address: '9 New Road' }],
  });
  await sites.update(site, { address1: '10 New Road' });
  await conversations.update(id.toUpperCase(), { subject: undefined, labels: [] });
  const { body } = await context(mock, id);
  expect(body.sites[0].address).toBe('10 New Road');
  expect([body.subject, body.labels]).toEqual([undefined, []]);
  await conversations.delete(id);
  expect((await context(mock, id)).status).toBe(404);
});

it('shows a change in the replies about other records', async () => {
  await using mock = await createMock({ rateLimit: false });
  const { conversations, sites } = mock.tenant('acme');
  const before = (await context(mock, acme.open)).body.sites[0].associatedConversations.length;
  await conversations.create({ id, subject: 'another', sites: [acme.site] });
  await sites.update(acme.site, { address1: '1 Moved Street' });
  const [shown] = (await context(mock, acme.open)).body.sites;
  expect([shown.associatedConversations.length, shown.address]).toEqual([
    before + 1,
    expect.stringContaining('1 Moved Street'),
  ]);
});

it('keeps the labels that requests have changed, unless the change is about them', async () => {
  await using mock = await createMock();
  const { conversations } = mock.tenant('acme');
  const names = () => mock.labels.of('acme', { conversation: acme.open }).map(({ name }) => name);
  mock.labels.apply('acme', { conversation: acme.open }, 'spare');
  await conversations.update(acme.open, { subject: 'changed' });
  expect(names()).toContain('spare');
  await conversations.update(acme.open, { labels: ['vip'] });
  expect(names()).toEqual(['vip']);
});

it.each([
  ['a wrong label', { id, labels: ['vpi'] }, /^acme: conversations\[\d+\]\.labels\[0\]: no label "vpi".*"vip"/],
  ['an unknown site', { id, sites: ['nowhere'] }, /sites\[0\]: no site "nowhere" in this tenant/],
  ['a used id', { id: acme.open }, /id: "c0000001.*" is already used \(conversations\[0\]\)/],
  ['a wrong shape', { id, subjekt: 'x' }, /subjekt: unknown property; did you mean "subject"/],
])('refuses %s in the words of a fixture file, and changes nothing', async (_, record, words) => {
  await using mock = await createMock();
  const before = await mock.snapshot();
  await expect(mock.tenant('acme').conversations.create(record as never)).rejects.toThrow(words);
  expect((await mock.snapshot()).tenants).toEqual(before.tenants);
});

it('refuses to delete what others refer to, to change an id, and to touch what does not exist', async () => {
  await using mock = await createMock();
  const { sites, labels, conversations } = mock.tenant('acme');
  await expect(sites.delete(acme.site)).rejects.toThrow(/no site "ovaid-517e0001.*" in this tenant/);
  await expect(labels.update(acme.vip, { name: 'renamed' })).rejects.toThrow('no label "vip" in this tenant');
  await expect(conversations.update(id, {})).rejects.toThrow(`tenant acme has no conversation ${id}`);
  await expect(conversations.update(acme.open, { id } as never)).rejects.toThrow('id: cannot change');
  expect([sites.all.has(acme.site), labels.get(acme.vip)?.name]).toEqual([true, 'vip']);
});

it('makes changes that come at once one after the other', async () => {
  await using mock = await createMock();
  const { conversations } = mock.tenant('acme');
  const before = conversations.all.size;
  const created = await Promise.allSettled(Array.from({ length: 5 }, () => conversations.create({ id })));
  expect(created.map(({ status }) => status)).toEqual(['fulfilled', ...Array(4).fill('rejected')]);
  expect([conversations.all.size, [...conversations.all.keys()].at(-1)]).toEqual([before + 1, id]);
});

it('is in snapshots and copies of the state, and undone by a reset', async () => {
  await using mock = await createMock();
  const { conversations, labels } = mock.tenant('acme');
  await labels.create({ id: '1abe1099-0000-4000-8000-000000000099', name: 'new', visibility: 'public' });
  await conversations.create({ id, labels: ['new'] });
  mock.labels.apply('acme', { conversation: id }, 'vip');
  const snapshot = await mock.snapshot();
  expect(JSON.stringify(snapshot)).not.toContain(acme.full);
  const changed = [...conversations.all.keys()];
  mock.reset('acme');
  expect(mock.tenant('acme').conversations.all.has(id)).toBe(false);
  await using other = await createMock();
  for (const restored of [mock, other]) {
    await restored.restore(JSON.parse(JSON.stringify(snapshot)));
    const tenant = restored.tenant('acme');
    expect([...tenant.conversations.all.keys()]).toEqual(changed);
    expect(restored.labels.of('acme', { conversation: id }).map(({ name }) => name)).toEqual(['new', 'vip']);
    expect((await restored.snapshot()).tenants).toEqual(snapshot.tenants);
    await tenant.conversations.update(id, { subject: 'again' });
    restored.reset('acme');
    expect(restored.tenant('acme').conversations.all.has(id)).toBe(false);
  }
});
