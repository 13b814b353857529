import { expect, it } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import { judge } from '../index.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { sparesOf } from '../target/records.ts';
import { discover } from './discover.ts';
import { gather } from './run.ts';

/** A user knows keys and a few ids, but no scopes, sites, clients or labels. */
async function discovered(options: Parameters<typeof virtualMock>[0] = {}) {
  const { environment, target } = await virtualMock({ latency: () => 20, ...options });
  const given = target.tenants.map(({ name, keys, conversations }) => ({
    name,
    keys: keys.map(({ name, secret, use }) => ({ name, secret, use })),
    conversations: [conversations?.closed, conversations?.open].flatMap((id) => id ?? []),
  }));
  const { tenants: found, unknown } = await discover(target.baseUrl, given, environment);
  return { environment, target, found, unknown };
}

it('finds scopes, revoked keys and connected records', async () => {
  const { target, found } = await discovered();
  const keysIn = (tenants: typeof found) =>
    tenants[0]?.keys.map(({ name, scopes = [], revoked = false }) => [name, [...scopes].sort(), revoked]);
  // No operation needs user:read, and client:write shows only for keys with site:write.
  const visible = (scopes: readonly string[]) =>
    scopes.filter((scope) => scope !== 'user:read' && (scope !== 'client:write' || scopes.includes('site:write')));
  expect(keysIn(found)).toEqual(
    target.tenants[0]?.keys.map(({ name, scopes, revoked }) => [
      name,
      revoked ? [] : [...visible(scopes)].sort(),
      revoked,
    ]),
  );
  const { conversations, clientSite, sites } = target.tenants[0] ?? {};
  expect(found[0]).toMatchObject({ conversations, clientSite, sites: { current: sites?.current } });
  expect(found[0]?.spareLabel?.name).toMatch(/spare/);
});

it('gives a target file that passes once the missing fields are filled in', async () => {
  const { environment, target, found } = await discovered();
  const [ours, theirs] = target.tenants;
  const filled = found.map((tenant, i) => ({
    ...tenant,
    sites: { ...tenant.sites, legacy: [ours, theirs][i]?.sites?.legacy },
    spareLabels: [ours, theirs].slice(i, i + 1).flatMap((one) => (one ? sparesOf(one) : [])),
    ...(i === 0 && { privateLabel: ours?.privateLabel }),
  }));
  const parsed = parseTarget({ baseUrl: target.baseUrl, tenants: filled }, {}, 'filled');
  const report = judge(await gather(parsed, { environment, journal: memoryJournal(), kit: 'test' }));
  expect(report.sentence).toMatch(/^(\d+) of \1 must rules passed$/);
  expect(report.exitCode).toBe(0);
});

it('a path that the deployment does not know shows no scope, and the operation is named', async () => {
  const { found, unknown } = await discovered({
    around:
      ({ handle }) =>
      async (request, trace) =>
        request.method === 'DELETE' || request.url.endsWith('/nowhere')
          ? { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' }
          : handle(request, trace),
  });
  expect(unknown.toSorted()).toEqual(['removeConversationLabel', 'removeSiteLabel']);
  const scopes = found.flatMap(({ keys }) => keys.flatMap((key) => key.scopes ?? []));
  expect(scopes).toContain('site:read');
  expect(scopes.filter((scope) => ['conversation:write', 'site:write', 'client:write'].includes(scope))).toEqual([]);
});

it('says that every key is refused, and marks none as revoked', async () => {
  const around: Parameters<typeof virtualMock>[0] = {
    around: () => async () => ({
      status: 403,
      headers: { 'content-type': 'application/json' },
      body: '{"message":"Forbidden"}',
    }),
  };
  await expect(discovered(around)).rejects.toThrow(/every key is refused; .* headers: \{ name: value \}/);
});
