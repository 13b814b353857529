import type { Mock } from '../create-mock.ts';
import type { Tenant } from '../store/tenant.ts';
import { tenantView } from './views.ts';

interface TenantDataOptions {
  /** How many records of each kind at most. Labels are always complete. */
  readonly limit?: number | undefined;
  /** Returns only records whose id or name contains this text, ignoring case. */
  readonly text?: string | undefined;
}

/** A short form of a tenant's records with all their labels, as the product shows them. Private labels are included. */
export function tenantData(
  mock: Mock,
  tenant: Tenant,
  { limit = Number.POSITIVE_INFINITY, text = '' }: TenantDataOptions = {},
) {
  const { records } = tenant;
  const wanted = text.toLowerCase();
  const some = <From, To extends object>(all: Iterable<From>, view: (from: From) => To): To[] => {
    const found: To[] = [];
    for (const each of all) {
      if (found.length >= limit) break;
      const brief = view(each);
      if (wanted === '' || contains(brief, wanted)) found.push(brief);
    }
    return found;
  };
  return {
    ...tenantView(mock, tenant),
    records: {
      labels: [...records.labels.values()],
      conversations: some(records.conversations.values(), (conversation) => {
        const { id, friendlyId = null, subject = null, status = null } = conversation.seed;
        return { id, friendlyId, subject, status, labels: tenant.allLabelsOf(conversation) };
      }),
      sites: some(records.sites.values(), (site) => {
        const { id, address1 = null, city = null, businessName = null } = site.seed;
        return { id, address1, city, businessName, labels: tenant.allLabelsOf(site) };
      }),
      clients: some(records.clients.values(), ({ id, name }) => ({ id, name })),
      links: some(records.links.values(), (link) => {
        const { client, site, isPrimary } = link;
        return { client, site, isPrimary, labels: tenant.allLabelsOf(link) };
      }),
    },
  };
}

const contains = (brief: object, wanted: string) =>
  Object.values(brief).some((value) => typeof value === 'string' && value.toLowerCase().includes(wanted));
