import { expect, it } from 'vitest';
import { loadTarget, parseTarget } from '../../spec/files/target.ts';
import { createMock } from '../create-mock.ts';
import { targetOf } from './target-of.ts';

const packaged = new URL('../../fixtures/mock.target.yaml', import.meta.url).pathname;

it('is the packaged target file for the default mock', async () => {
  const mock = await createMock();
  const found = parseTarget(targetOf(mock, 'http://127.0.0.1:4010'), {}, 'target');
  const expected = loadTarget(packaged, {});
  const byName = <T extends { name: string }>(list: readonly T[]) =>
    [...list].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const tenant of expected.tenants) {
    const own = found.tenants.find(({ name }) => name === tenant.name);
    const secrets = byName(own?.keys ?? []).map(({ name, secret, use, rateLimit }) => ({
      name,
      secret,
      use,
      rateLimit,
    }));
    expect(secrets).toEqual(
      byName(tenant.keys).map(({ name, secret, use, rateLimit }) => ({ name, secret, use, rateLimit })),
    );
    expect(own?.conversations).toEqual(tenant.conversations);
    expect(own?.sites?.current).toBe(tenant.sites?.current);
    expect(own?.privateLabel?.id).toBe(tenant.privateLabel?.id);
    const spares = [own?.spareLabel?.id, ...(own?.spareLabels ?? []).map(({ id }) => id)];
    for (const { id } of [tenant.spareLabel, ...(tenant.spareLabels ?? [])].filter((label) => label !== undefined)) {
      expect(spares).toContain(id);
    }
  }
});

it('names only labels that no record carries as spare, and only open conversations as open', async () => {
  const mock = await createMock();
  const spare = targetOf(mock, 'http://x').tenants[0]?.spareLabel?.id ?? '';
  mock.labels.apply('acme', { site: '10042' }, spare);
  expect(targetOf(mock, 'http://x').tenants[0]?.spareLabel?.id).not.toBe(spare);
});

it('has one key for every name, a variable for every undocumented secret, and no copied tenants', async () => {
  const mock = await createMock();
  mock.keys.revoke({ tenant: 'acme', name: 'full' });
  mock.keys.create('acme', { name: 'full', scopes: [] });
  mock.tenants.create({ from: 'globex', name: 'worker-1' });
  mock.tenants.create({ from: 'worker-1' });
  const target = targetOf(mock, 'http://x');
  const full = target.tenants[0]?.keys.filter((key) => key.name === 'full');
  expect(full).toMatchObject([{ secret: `\${ACME_FULL_KEY}` }]);
  expect(target.tenants.map(({ name }) => name)).toEqual(['acme', 'globex', 'initech']);
  expect(targetOf(mock, 'http://x', true).tenants[3]?.keys[0]?.secret).toBe(`\${WORKER_1_FULL_KEY}`);
});

it('names what a profile changes about operations, except the status', async () => {
  const path = '/v1/conversation/{id}/labels/{labelId}';
  const operations = { applyConversationLabel: { path, status: 201 }, removeSiteLabel: null };
  const mock = await createMock({ profile: { operations } });
  const target = targetOf(mock, 'http://x');
  expect(target.operations).toEqual({ applyConversationLabel: { path }, removeSiteLabel: null });
  expect(parseTarget(JSON.parse(JSON.stringify(target)), {}, 'target').operations).toEqual(target.operations);
});
