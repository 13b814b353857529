import { afterEach, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { seedFromDocument } from './seed-from-document.ts';
import { seedTenant } from './seed-tenant.ts';
import type { TenantCollections } from './tenant-author.ts';

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const person = { name: 'Dana W', firstName: 'Dana', lastName: 'W', createdAt: '2026-01-02T03:04:05Z' };

const problemsOf = async (build: (db: TenantCollections) => Promise<unknown>): Promise<readonly string[]> => {
  try {
    await seedTenant('umbrella', async (db) => void (await build(db)));
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
};

afterEach(() => vi.restoreAllMocks());

test('what is created becomes the seed, references as names and ids in the order given', async () => {
  const seed = await seedTenant(
    'umbrella',
    async (db) => {
      await db.keys.create({ name: 'full', secret: 'umbrella-fake-secret', scopes: ['site:read'] });
      const agent = await db.users.create({ id: uuid(1), name: 'Maya' });
      const vip = await db.labels.create({ id: uuid(2), name: 'vip', visibility: 'public' });
      const risk = await db.labels.create({ id: uuid(3), name: 'risk', visibility: 'private' });
      const dana = await db.clients.create({ id: 'ovcid-1', ...person });
      const kim = await db.clients.create({ id: 'ovcid-2', ...person });
      const old = await db.sites.create({ id: '10042', city: 'Austin' });
      const current = await db.sites.create({ id: 'ovaid-1', labels: [risk, vip] });
      await db.links.create({ site: current, client: kim, isPrimary: true, labels: [vip] });
      await db.links.create({ site: old, client: dana });
      await db.links.create({ site: current, client: dana });
      await db.conversations.create({ id: uuid(4) });
      await db.conversations.create({
        id: uuid(5),
        labels: [risk],
        sites: [current, old],
        participants: { agents: [agent], clients: [kim, dana] },
        messages: [{ text: 'hello' }],
      });
    },
    'in code',
  );
  expect(seed).toEqual({
    tenant: 'umbrella',
    description: 'in code',
    keys: [{ name: 'full', secret: 'umbrella-fake-secret', scopes: ['site:read'] }],
    users: [{ id: uuid(1), name: 'Maya' }],
    labels: [
      { id: uuid(2), name: 'vip', visibility: 'public' },
      { id: uuid(3), name: 'risk', visibility: 'private' },
    ],
    clients: [
      { id: 'ovcid-1', ...person },
      { id: 'ovcid-2', ...person },
    ],
    sites: [
      { id: '10042', city: 'Austin', clients: [{ client: 'ovcid-1' }] },
      {
        id: 'ovaid-1',
        labels: ['risk', 'vip'],
        clients: [{ client: 'ovcid-2', isPrimary: true, labels: ['vip'] }, { client: 'ovcid-1' }],
      },
    ],
    conversations: [
      { id: uuid(4) },
      {
        id: uuid(5),
        labels: ['risk'],
        sites: ['ovaid-1', '10042'],
        participants: { agents: [uuid(1)], clients: ['ovcid-2', 'ovcid-1'] },
        messages: [{ text: 'hello' }],
      },
    ],
  });
  expect(await seedFromDocument(seed, 'umbrella.yaml')).toEqual(seed);
});

test('the relations can be read while the seed is written', async () => {
  await seedTenant('umbrella', async (db) => {
    const vip = await db.labels.create({ id: uuid(1), name: 'vip', visibility: 'public' });
    const dana = await db.clients.create({ id: 'ovcid-1', ...person });
    const site = await db.sites.create({ id: '1', labels: [vip] });
    await db.sites.create({ id: '2' });
    await db.links.create({ site, client: dana, labels: [vip] });
    const conversation = await db.conversations.create({
      id: uuid(2),
      sites: [site],
      participants: { clients: [dana] },
    });
    expect(conversation.sites.map(({ labels }) => labels.map(({ name }) => name))).toEqual([['vip']]);
    expect(conversation.participants.clients[0]).toBe(dana);
    expect(conversation.participants.agents).toEqual([]);
    expect(db.sites.findFirst((q) => q.where({ id: '2' }))?.labels).toEqual([]);
    expect(db.links.all()[0]?.site).toBe(site);
  });
});

test('a later change of what was given does not reach the seed', async () => {
  const messages = [{ text: 'before' }];
  const seed = await seedTenant('umbrella', async (db) => {
    await db.conversations.create({ id: uuid(1), messages });
  });
  messages[0] = { text: 'after' };
  expect(seed.conversations[0]?.messages).toEqual([{ text: 'before' }]);
});

test('wrong data fails at its create with path and reason, and prints nothing', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const problems = await problemsOf(async ({ labels }) => {
    await labels.create({ id: uuid(1), name: 'vip', visibility: 'public' });
    await labels.create({ id: 'x', name: '', visibility: 'public' });
  });
  expect(problems[0]).toBe('umbrella: labels[1].id: not a UUID');
  expect(problems[1]).toMatch(/^umbrella: labels\[1\]\.name: /);
  expect(printed).not.toHaveBeenCalled();
});

test("another tenant's record is refused wherever it is given", async () => {
  const foreign: { db?: TenantCollections } = {};
  await seedTenant('globex', (db) => {
    foreign.db = db;
  });
  const globex = foreign.db;
  if (globex === undefined) throw new Error('the collections were not given');
  const label = await globex.labels.create({ id: uuid(1), name: 'vip', visibility: 'public' });
  const client = await globex.clients.create({ id: 'ovcid-1', ...person });
  const user = await globex.users.create({ id: uuid(1), name: 'Ingrid' });
  const site = await globex.sites.create({ id: '1' });
  const refused = (place: string, kind: string) => [
    `umbrella: ${place}: not a record of this tenant; give what its own ${kind}.create() returned`,
  ];

  expect(await problemsOf((db) => db.sites.create({ id: '1', labels: [label] }))).toEqual(
    refused('sites[0].labels[0]', 'labels'),
  );
  expect(await problemsOf((db) => db.links.create({ site, client }))).toEqual(refused('links[0].site', 'sites'));
  expect(await problemsOf(async (db) => db.links.create({ site: await db.sites.create({ id: '1' }), client }))).toEqual(
    refused('links[0].client', 'clients'),
  );
  expect(await problemsOf((db) => db.conversations.create({ id: uuid(2), sites: [site] }))).toEqual(
    refused('conversations[0].sites[0]', 'sites'),
  );
  expect(await problemsOf((db) => db.conversations.create({ id: uuid(2), participants: { agents: [user] } }))).toEqual(
    refused('conversations[0].participants.agents[0]', 'users'),
  );
});

test('a copy of a record is not the record', async () => {
  const problems = await problemsOf(async (db) => {
    const label = { id: uuid(1), name: 'vip', visibility: 'public' } as const;
    await db.labels.create(label);
    await db.sites.create({ id: '1', labels: [label] });
  });
  expect(problems).toEqual([expect.stringContaining('umbrella: sites[0].labels[0]: not a record of this tenant')]);
});

test('a refused record leaves nothing behind', async () => {
  const seed = await seedTenant('umbrella', async (db) => {
    const secret = 'umbrella-fake-secret';
    await db.keys.create({ name: 'first', secret, scopes: [] });
    await expect(db.keys.create({ name: 'second', secret, scopes: [] })).rejects.toThrow('keys[1].secret');
    await db.keys.create({ name: 'second', secret: 'umbrella-other-secret', scopes: [] });
  });
  expect(seed.keys.map(({ name }) => name)).toEqual(['first', 'second']);
});

test('a tenant name that could not be in a URL or on a command line is refused', async () => {
  await expect(seedTenant('Umbrella Corp', () => {})).rejects.toThrow(
    'tenant "Umbrella Corp": a tenant is named in lower-case letters, digits and hyphens',
  );
});

test('records without number do not slow each other down', async () => {
  // Counts listeners instead of seconds: each one that a record leaves behind is walked past by every later create.
  let left = -1;
  await seedTenant('umbrella', async (db) => {
    const site = await db.sites.create({ id: '1' });
    const counts: number[] = [];
    for (let n = 0; n < 3; n++) {
      await db.conversations.create({ id: uuid(n), sites: [site] });
      counts.push(listenersOf(db.sites) + listenersOf(db.conversations));
    }
    left = Math.max(...counts) - Math.min(...counts);
  });
  expect(left).toBe(0);
});

function listenersOf(collection: object): number {
  if (!('hooks' in collection)) throw new Error('not a collection');
  const { hooks } = collection as { hooks: { listenerCount(): number } };
  return hooks.listenerCount();
}
