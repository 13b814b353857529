import { expect, it } from 'vitest';
import { defaultSeeds } from '../seed/generated/tenants.ts';
import { acmeKeys, acmeRecords } from './acme-records.ts';

const acme = defaultSeeds.find(({ tenant }) => tenant === 'acme');
const idsOf = (records: readonly { readonly id: string }[] = []) => records.map(({ id }) => id);

it('has the names of every key and label of the fixture', () => {
  expect([...acmeKeys].sort()).toEqual(acme?.keys.map(({ name }) => name).sort());
  const labels = Object.fromEntries((acme?.labels ?? []).map(({ id, name }) => [name, id]));
  expect(acmeRecords.labels).toEqual(labels);
});

it('names only records of the fixture', () => {
  expect(idsOf(acme?.sites).sort()).toEqual(Object.values(acmeRecords.sites).sort());
  expect(idsOf(acme?.clients).sort()).toEqual(Object.values(acmeRecords.clients).sort());
  expect(idsOf(acme?.conversations)).toEqual(expect.arrayContaining(Object.values(acmeRecords.conversations)));
});

it('names conversations by their status, and clients by the site whose primary client they are', () => {
  for (const [status, id] of Object.entries(acmeRecords.conversations)) {
    const conversation = acme?.conversations.find((other) => other.id === id);
    if (status !== 'bare') expect(conversation?.status).toBe(status);
  }
  for (const [name, id] of Object.entries(acmeRecords.clients)) {
    const site = acme?.sites.find((other) => other.id === acmeRecords.sites[name as keyof typeof acmeRecords.clients]);
    expect(site?.clients?.find(({ client }) => client === id)?.isPrimary).toBe(true);
  }
});
