import type { TargetInput } from '../../spec/files/target.ts';
import type { Mock } from '../create-mock.ts';
import type { ApiKey } from '../keys/key-ring.ts';
import type { Tenant } from '../store/tenant.ts';

type TargetTenant = TargetInput['tenants'][number];

/**
 * The target file of this mock, for the conformance runner and the load scripts. It contains the secrets of fixture files,
 * which are documented fakes. For every other key it names an environment variable.
 * @param copies whether copied tenants are described too, although only who created one has its secrets
 */
export function targetOf(mock: Mock, baseUrl: string, copies = false): TargetInput {
  const tenants = [...mock.tenants.values()]
    .filter(({ clonedFrom }) => copies || clonedFrom === null)
    .map((tenant) => targetTenantOf(mock, tenant))
    .filter(({ keys }) => keys.length > 0);
  const operations = operationsOf(mock.profile);
  return { baseUrl, tenants, ...(operations && { operations }) };
}

/** The profile's changes of operations, without the success status, which a target file does not have. */
export function operationsOf(profile: Mock['profile']): TargetInput['operations'] {
  const overrides = Object.entries(profile?.operations ?? {}).map(([id, override]) => {
    const { status: _, ...rest } = override ?? {};
    return [id, override ? rest : null];
  });
  return overrides.length === 0 ? undefined : Object.fromEntries(overrides);
}

/** A tenant as a target file describes it. */
export function targetTenantOf(mock: Mock, tenant: Tenant): TargetTenant {
  const { records, name } = tenant;
  const { conversations, sites, labels, links } = records;
  const isClosed = (status: string) => status.toLowerCase() === 'closed';
  const open = conversations.values().find(({ status }) => status !== undefined && !isClosed(status));
  const closed = conversations.values().find(({ status = '' }) => isClosed(status));
  const current = sites.keys().find((id) => id.startsWith('ovaid-'));
  const legacy = sites.keys().find((id) => !id.startsWith('ovaid-'));
  const link = links.values().next().value;
  const carried = new Set(open && tenant.labelsOf(open));
  const hidden = labels.values().find(({ id, visibility }) => visibility === 'private' && carried.has(id));
  const holders = [...conversations.values(), ...sites.values(), ...links.values()];
  const used = new Set(holders.flatMap((holder) => [...tenant.labelsOf(holder)]));
  const unused = [...records.publicLabels.values()].filter(({ id }) => !used.has(id));
  const [spare, ...spares] = unused.map(({ id, name }) => ({ id, name }));
  return {
    name,
    // A target file has a name once. It is free again only when its key is revoked, so the last key counts.
    keys: [...new Map(mock.keys.list(name).map((key) => [key.name, keyOf(mock, key)])).values()],
    conversations: { ...(open && { open: open.id }), ...(closed && { closed: closed.id }) },
    sites: { ...(current !== undefined && { current }), ...(legacy !== undefined && { legacy }) },
    ...(link && { clientSite: { client: link.client, site: link.site } }),
    ...(hidden && { privateLabel: { id: hidden.id, name: hidden.name } }),
    ...(spare && { spareLabel: spare }),
    ...(spares.length > 0 && { spareLabels: spares }),
  };
}

function keyOf(mock: Mock, key: ApiKey): TargetTenant['keys'][number] {
  const { perSecond, burst } = mock.keys.limitOf(key);
  return {
    name: key.name,
    secret: mock.keys.documentedSecretOf(key) ?? `\${${variable(key.tenant)}_${variable(key.name)}_KEY}`,
    scopes: [...key.scopes],
    ...(Number.isFinite(burst) && { rateLimit: { perSecond, burst } }),
    ...(key.revoked && { revoked: true }),
    ...(key.name === 'limits' && { use: 'limits' as const }),
  };
}

const variable = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
