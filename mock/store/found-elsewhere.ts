import { Refusal, type RefusalCase } from '../refusal.ts';
import { linkKey } from './records.ts';
import type { Tenant } from './tenant.ts';

/** How to look for a record that was not found, and the case of the refusal if another tenant has it. */
const elsewhere: Readonly<
  Partial<Record<RefusalCase, { foreign: RefusalCase; has: (tenant: Tenant, id: string, other: string) => boolean }>>
> = {
  'unknown-conversation': { foreign: 'foreign-conversation', has: (tenant, id) => tenant.conversations.has(id) },
  'unknown-site': { foreign: 'foreign-site', has: (tenant, id) => tenant.sites.has(id) },
  'unknown-client': { foreign: 'foreign-client', has: (tenant, id) => tenant.clients.has(id) },
  'unknown-link': { foreign: 'foreign-link', has: (tenant, client, site) => tenant.links.has(linkKey(client, site)) },
  'unknown-label': { foreign: 'foreign-label', has: (tenant, id) => tenant.records.labels.has(id) },
  'unknown-file-key': { foreign: 'foreign-file-key', has: (tenant, id) => tenant.files.has(id) },
};

/**
 * A record that was not found may belong to another tenant or another site, or be a private label. Then this returns a more
 * precise refusal for the journal. Its message for the client stays that of an unknown record.
 * @param asking the name of the tenant that the key belongs to
 */
export function foundElsewhere(
  refusal: Refusal,
  asking: string | null,
  tenants: ReadonlyMap<string, Tenant>,
): Refusal | null {
  const search = elsewhere[refusal.case];
  const [id, other = ''] = refusal.sought;
  if (search === undefined || id === undefined) return null;
  for (const tenant of tenants.values()) {
    if (!search.has(tenant, id, other)) continue;
    const own = tenant.name === asking;
    const refusalCase = own && refusal.case === 'unknown-label' ? 'private-label' : search.foreign;
    const detail = own ? whyOwn[refusal.case] : `it belongs to the tenant ${tenant.name}`;
    return new Refusal(refusalCase, refusal.message, { detail: `${refusal.message} (${detail})` });
  }
  return null;
}

const whyOwn: Readonly<Partial<Record<RefusalCase, string>>> = {
  'unknown-label': 'it is private',
  'unknown-file-key': 'it belongs to another site',
};
