import { expect, it } from 'vitest';
import { generatedTenant } from '../seed/generated-tenant.ts';
import type { ClientSeed, ConversationSeed, SiteSeed, TenantSeed } from '../seed/schema.ts';
import { cloneSeed } from './clone-seed.ts';

const lines = [...generatedTenant({ tenant: 'large', conversations: 40, seed: 1, keys: 1 })].map((line) =>
  JSON.parse(line),
);
const records = <T>(kind: string): T[] => lines.flatMap((line) => line[kind] ?? []);
const original: TenantSeed = {
  ...lines[0],
  clients: records<ClientSeed>('client'),
  sites: records<SiteSeed>('site'),
  conversations: records<ConversationSeed>('conversation'),
};

it('shares unchanged values, so that texts exist once for all clones', () => {
  const { seed, ids } = cloneSeed(original, 'copy');
  expect(seed.conversations.filter(({ messages, labels }) => messages && labels).length).toBeGreaterThan(9);
  seed.conversations.forEach((conversation, i) => {
    const before = original.conversations[i];
    expect(conversation.id).toBe(ids[before?.id ?? '']);
    expect(conversation.id).not.toBe(before?.id);
    // The very same objects, not equal ones.
    expect(conversation.messages).toBe(before?.messages);
    expect(conversation.labels).toBe(before?.labels);
  });
  for (const [i, site] of seed.sites.entries()) expect(site.labels).toBe(original.sites[i]?.labels);
});

it('gives every reference the id of the record that it stood for, so that no id of the original is left', () => {
  const { seed } = cloneSeed(original, 'copy');
  const known = new Set([...seed.clients, ...seed.sites, ...seed.users].map(({ id }) => id));
  for (const { sites, participants } of seed.conversations) {
    const named = [...(sites ?? []), ...(participants?.agents ?? []), ...(participants?.clients ?? [])];
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  }
  for (const { clients } of seed.sites) for (const { client } of clients ?? []) expect(known).toContain(client);
});

it.each([
  ['10042', /^\d{9}$/],
  ['Haus 7#2', /^[\da-f]{8} 7#2$/],
  ['7/é', /^\d{9}\/é$/],
  ['%', /^%[\da-f]{8}$/],
  ['c0000001-0000-4000-8000-000000000001', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/],
])('the copy of %s has the same form', (id, form) => {
  const { ids } = cloneSeed({ ...original, sites: [{ id }], conversations: [] }, 'copy');
  expect(ids[id]).toMatch(form);
});
