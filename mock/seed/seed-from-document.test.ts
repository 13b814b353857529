import { expect, test } from 'vitest';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { seedFromDocument } from './seed-from-document.ts';

const vip = { id: '1abe1001-0000-4000-8000-000000000001', name: 'vip', visibility: 'public' };
const risk = { id: '1abe9001-0000-4000-8000-000000000901', name: 'risk', visibility: 'private' };
const agent = { id: 'a9e70001-0000-4000-8000-000000000001', name: 'Maya' };
const client = { id: 'ovcid-1', name: 'Dana W', firstName: 'Dana', lastName: 'W', createdAt: '2026-01-02T03:04:05Z' };
const other = { ...client, id: 'ovcid-2' };
const key = { name: 'full', secret: 'acmefull-fake-secret-1', scopes: ['site:read'] };
const first = { id: 'c0000001-0000-4000-8000-000000000001' };
const complete = {
  tenant: 'acme',
  description: 'words',
  keys: [key],
  users: [agent],
  labels: [vip, risk],
  clients: [client, other],
  sites: [
    { id: '10042', clients: [{ client: 'ovcid-2', isPrimary: true, labels: ['risk', 'vip'] }, { client: 'ovcid-1' }] },
    { id: 'b', labels: ['vip'] },
  ],
  conversations: [
    first,
    {
      id: 'c0000002-0000-4000-8000-000000000002',
      status: 'open',
      labels: ['vip', 'risk'],
      sites: ['b', '10042'],
      participants: { agents: [agent.id], clients: ['ovcid-2', 'ovcid-1'] },
      messages: [{ text: 'hello', isInternal: true, attachments: [{ type: 'image' }] }],
    },
  ],
};

const problemsOf = async (document: unknown): Promise<readonly string[]> => {
  try {
    await seedFromDocument(document, 'acme.yaml');
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
};

test('a valid document becomes the seed that it describes, with lists in their order', async () => {
  expect(await seedFromDocument(complete, 'acme.yaml')).toEqual(complete);
});

test('only the name and the keys are needed', async () => {
  const empty = { users: [], labels: [], clients: [], sites: [], conversations: [] };
  expect(await seedFromDocument({ tenant: 'acme', keys: [] }, 'acme.yaml')).toEqual({
    tenant: 'acme',
    keys: [],
    ...empty,
  });
});

test.each<[string, object, string]>([
  [
    'a label',
    { conversations: [{ ...first, labels: ['vip', 'vipp'] }] },
    'conversations[0].labels[1]: no label "vipp" in this tenant; did you mean "vip"?',
  ],
  ['a label of a site', { sites: [{ id: 'a', labels: ['x'] }] }, 'sites[0].labels[0]: no label "x" in this tenant'],
  [
    'a label of a link',
    { sites: [{ id: 'a', clients: [{ client: 'ovcid-1', labels: ['riks'] }] }], conversations: [] },
    'sites[0].clients[0].labels[0]: no label "riks" in this tenant; did you mean "risk"?',
  ],
  [
    'a client of a site',
    { sites: [{ id: 'a', clients: [{ client: 'ovcid-nobody' }] }], conversations: [] },
    'sites[0].clients[0].client: no client "ovcid-nobody" in this tenant',
  ],
  [
    'a site',
    { conversations: [{ ...first, sites: ['10043'] }] },
    'conversations[0].sites[0]: no site "10043" in this tenant; did you mean "10042"?',
  ],
  [
    'an agent',
    { users: [], conversations: [{ ...first, participants: { agents: [agent.id] } }] },
    `conversations[0].participants.agents[0]: no user "${agent.id}" in this tenant`,
  ],
  [
    'a participating client',
    { conversations: [{ ...first, participants: { clients: ['ovcid-1', 'ovcid-33333'] } }] },
    'conversations[0].participants.clients[1]: no client "ovcid-33333" in this tenant',
  ],
])('a dangling reference to %s names file, path and what there is', async (_what, change, problem) => {
  expect(await problemsOf({ ...complete, ...change })).toContain(`acme.yaml: ${problem}`);
});

test('finds duplicates in a list at their place, also after a dangling reference', async () => {
  expect(await problemsOf({ ...complete, conversations: [{ ...first, labels: ['nothing', 'vip', 'vip'] }] })).toEqual([
    'acme.yaml: conversations[0].labels[0]: no label "nothing" in this tenant',
    'acme.yaml: conversations[0].labels[2]: the same as conversations[0].labels[1]; leave one out',
  ]);
});

test.each<[string, object, string]>([
  ['user id', { users: [agent, agent] }, `users[1].id: "${agent.id}" is already used (users[0])`],
  [
    'label id',
    { labels: [vip, risk, { ...vip, name: 'new' }] },
    `labels[2].id: "${vip.id}" is already used (labels[0])`,
  ],
  [
    'label name',
    { labels: [vip, risk, { ...vip, id: agent.id }] },
    'labels[2].name: "vip" is already used (labels[0])',
  ],
  ['client id', { clients: [client, other, client] }, 'clients[2].id: "ovcid-1" is already used (clients[0])'],
  ['site id', { sites: [...complete.sites, { id: 'b' }] }, 'sites[2].id: "b" is already used (sites[1])'],
  [
    'conversation id',
    { conversations: [first, first] },
    `conversations[1].id: "${first.id}" is already used (conversations[0])`,
  ],
  [
    'key name',
    { keys: [key, { ...key, secret: 'another-fake-secret' }] },
    'keys[1].name: "full" is already used (keys[0])',
  ],
  ['secret', { keys: [key, { ...key, name: 'again' }] }, 'keys[1].secret: this secret is already used (keys[0])'],
  [
    'link',
    { sites: [{ id: '10042', clients: [{ client: 'ovcid-1' }, { client: 'ovcid-1' }] }, { id: 'b' }] },
    'sites[0].clients[1].client: client ovcid-1 is already linked to site 10042 (sites[0].clients[0])',
  ],
  [
    'primary client',
    {
      sites: [
        {
          id: '10042',
          clients: [
            { client: 'ovcid-1', isPrimary: true },
            { client: 'ovcid-2', isPrimary: true },
          ],
        },
        { id: 'b' },
      ],
    },
    'sites[0].clients[1].isPrimary: site 10042 already has a primary client (sites[0].clients[0])',
  ],
  [
    'label in one list',
    { conversations: [{ ...first, labels: ['vip', 'risk', 'vip'] }] },
    'conversations[0].labels[2]: the same as conversations[0].labels[0]; leave one out',
  ],
])('a second %s is refused, and nothing else is', async (_what, change, problem) => {
  expect(await problemsOf({ ...complete, ...change })).toEqual([`acme.yaml: ${problem}`]);
});

test('one client may be linked to several sites, and be primary in each', async () => {
  const clients = [{ client: 'ovcid-1', isPrimary: true }];
  expect(
    await problemsOf({
      ...complete,
      sites: [
        { id: '10042', clients },
        { id: 'b', clients },
      ],
    }),
  ).toEqual([]);
});

test.each<[string, object, string]>([
  [
    'a bare number',
    { sites: [{ id: 10042 }, { id: 'b' }], conversations: [] },
    'sites[0].id: must be a text; put it in quotes',
  ],
  ['a missing field', { users: [{ id: agent.id }], conversations: [] }, 'users[0].name: is missing'],
  [
    'an unknown field',
    { sites: [{ id: 'a', adress1: 'x' }], conversations: [] },
    'sites[0].adress1: unknown property; did you mean "address1"?',
  ],
  ['an unknown field of the tenant', { sitez: [] }, 'sitez: unknown property; did you mean "sites"?'],
  ['a UUID', { labels: [{ ...vip, id: '1abe' }], sites: [], conversations: [] }, 'labels[0].id: not a UUID'],
  [
    'a client id',
    { clients: [{ ...client, id: 'c-1' }], sites: [], conversations: [] },
    'clients[0].id: a client id starts with "ovcid-"',
  ],
  ['a short secret', { keys: [{ ...key, secret: 'short' }] }, 'keys[0].secret: a secret has at least 16 characters'],
  ...['$ACMEFULL_PARTNER_KEY', `\${ACMEFULL_PARTNER_KEY}`, `\${ACMEFULL_KEY:-default}`].map(
    (secret): [string, object, string] => [
      `the secret ${secret}`,
      { keys: [{ ...key, secret }] },
      'keys[0].secret: looks like a variable, and fixture files take none: invent a secret, which is no secret',
    ],
  ),
  [
    'a secret no header takes',
    { keys: [{ ...key, secret: 'a secret with blanks in it' }] },
    'keys[0].secret: a secret is visible ASCII without blanks, because it travels in a header',
  ],
  [
    'a date',
    { conversations: [{ ...first, createdAt: 'today' }] },
    'conversations[0].createdAt: not a date and time such as 2026-11-03T09:30:00Z',
  ],
  ['the tenant name', { tenant: 'Acme Inc' }, 'tenant: a tenant is named in lower-case letters, digits and hyphens'],
])('wrong data, %s, is refused with path and reason', async (_what, change, problem) => {
  expect(await problemsOf({ ...complete, ...change })).toEqual([`acme.yaml: ${problem}`]);
});

test('refuses a misspelt scope, and accepts unknown scopes, because the list is open', async () => {
  const scoped = (scope: string) => problemsOf({ ...complete, keys: [{ ...key, scopes: [scope] }] });
  expect(await scoped('site:raed')).toEqual([
    'acme.yaml: keys[0].scopes[0]: unknown value "site:raed"; did you mean "site:read"?',
  ]);
  for (const legal of ['admin', 'siteFile:read', 'label:read']) expect(await scoped(legal)).toEqual([]);
});

test.each([
  ['a list', []],
  ['a word', 'tenant'],
  ['nothing', null],
])('%s is no tenant', async (_what, document) => {
  expect(await problemsOf(document)).toEqual([
    `acme.yaml: ${document === null ? 'is empty; it ' : ''}must be an object with tenant, description, keys, users, labels, clients, ...`,
  ]);
});

test('labels/public-or-private: a label that is neither is refused', async () => {
  expect(await problemsOf({ ...complete, labels: [vip, { ...risk, visibility: 'secret' }] })).toEqual([
    'acme.yaml: labels[1].visibility: unknown value "secret"; allowed: public, private',
  ]);
});

test('lists all problems of shape at once, and when there are none, all of references and repetitions', async () => {
  const document = {
    ...complete,
    keys: [key, key],
    sites: [{ id: '10042', clients: [{ client: 'ovcid-9' }] }, { id: 'b' }],
    conversations: [{ ...first, labels: ['risk'], sites: ['b', 'zzzz'] }],
  };
  const misshapen = { labels: [vip, { ...risk, visibility: 'secret' }], sites: [{ id: '' }] };
  expect(await problemsOf({ ...document, ...misshapen })).toEqual([
    expect.stringContaining('acme.yaml: labels[1].visibility: '),
    'acme.yaml: sites[0].id: a site id has at least one character',
  ]);
  expect(await problemsOf(document)).toEqual([
    'acme.yaml: keys[1].name: "full" is already used (keys[0])',
    'acme.yaml: keys[1].secret: this secret is already used (keys[0])',
    'acme.yaml: sites[0].clients[0].client: no client "ovcid-9" in this tenant; did you mean "ovcid-1"?',
    expect.stringContaining('acme.yaml: conversations[0].sites[1]: no site "zzzz"'),
  ]);
});

test('a site id that JSON objects cannot hold is refused', async () => {
  expect(await problemsOf({ ...complete, sites: [{ id: '__proto__' }], conversations: [] })).toContain(
    'acme.yaml: sites[0].id: no site id can be "__proto__"',
  );
});

test('a wrong tenant name does not hide a wrong record', async () => {
  expect(await problemsOf({ ...complete, tenant: '', users: [{ name: 'no id' }] })).toEqual([
    expect.stringContaining('acme.yaml: tenant: '),
    'acme.yaml: users[0].id: is missing',
  ]);
});
