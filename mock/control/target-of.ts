import type { TargetInput } from '../../spec/files/target.ts';
import type { Mock } from '../create-mock.ts';
import type { ApiKey } from '../keys/key-ring.ts';
import type { Tenant } from '../store/tenant.ts';

type TargetTenant = TargetInput['tenants'][number];

/**
 * The target file that describes this mock as it is now, for the conformance runner and the load scripts. Secrets of
 * fixture files are fakes that are documented there, so they are in it; for every other key stands an environment variable.
 */
export function targetOf(mock: Mock, baseUrl: string): TargetInput {
  const tenants = [...mock.tenants.values()]
    .map((tenant) => tenantOf(mock, tenant))
    .filter(({ keys }) => keys.length > 0);
  const operations = operationsOf(mock);
  return { baseUrl, tenants, ...(operations && { operations }) };
}

/** What the profile changes about operations; a target file says nothing of their success status. */
function operationsOf({ profile }: Mock): TargetInput['operations'] {
  const overrides = Object.entries(profile?.operations ?? {});
  if (overrides.length === 0) return undefined;
  return Object.fromEntries(
    overrides.map(([id, override]) => {
      if (override === null || override === undefined) return [id, null];
      const { status: _, ...rest } = override;
      return [id, rest];
    }),
  );
}

function tenantOf(mock: Mock, tenant: Tenant): TargetTenant {
  const { records, name } = tenant;
  const conversations = [...records.conversations.values()];
  const open = conversations.find(({ seed }) => seed.status !== undefined && !isClosed(seed.status));
  const closed = conversations.find(({ seed }) => isClosed(seed.status));
  const sites = [...records.sites.keys()];
  const current = sites.find((id) => id.startsWith('ovaid-'));
  const legacy = sites.find((id) => !id.startsWith('ovaid-'));
  const link = records.links.values().next().value;
  const carried = open === undefined ? [] : [...tenant.labelsOf(open)];
  const hidden = [...records.labels.values()].find(
    ({ id, visibility }) => visibility === 'private' && carried.includes(id),
  );
  const uncarried = [...records.publicLabels.values()].filter(({ id }) => !isCarried(tenant, id));
  const [spare, ...spares] = uncarried.map(({ id, name }) => ({ id, name }));
  return {
    name,
    keys: uniquelyNamed(mock.keys.list(name)).map((key) => keyOf(mock, key)),
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
    secret: mock.documentedSecretOf(key) ?? `\${${variable(key.tenant)}_${variable(key.name)}_KEY}`,
    scopes: [...key.scopes],
    ...(Number.isFinite(burst) && { rateLimit: { perSecond, burst } }),
    ...(key.revoked && { revoked: true }),
    ...(key.name === 'limits' && { use: 'limits' as const }),
  };
}

/** A revoked key may have the name of the one that came after it; a target file cannot say both. */
const uniquelyNamed = (keys: readonly ApiKey[]) =>
  keys.filter(
    (key) =>
      keys.findLast(({ name, revoked }) => name === key.name && !revoked) === key ||
      !keys.some((other) => other !== key && other.name === key.name),
  );

const isClosed = (status: string | undefined) => status?.toLowerCase() === 'closed';

const variable = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

function isCarried(tenant: Tenant, label: string): boolean {
  const { conversations, sites, links } = tenant.records;
  for (const holders of [conversations, sites, links]) {
    for (const holder of holders.values()) for (const id of tenant.labelsOf(holder)) if (id === label) return true;
  }
  return false;
}
