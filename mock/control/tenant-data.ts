import type { Mock } from '../create-mock.ts';
import type { LabelSeed } from '../seed/schema.ts';
import type { LabelHolder } from '../store/records.ts';
import type { Tenant } from '../store/tenant.ts';
import { tenantView } from './views.ts';

/** A tenant's records in brief, each with all labels it carries now, private ones too: what the product would show. */
export function tenantData(mock: Mock, tenant: Tenant) {
  const { records } = tenant;
  const labelsOf = (holder: LabelHolder) => carriedLabels(tenant, holder);
  return {
    ...tenantView(mock, tenant),
    records: {
      labels: [...records.labels.values()],
      conversations: [...records.conversations.values()].map((conversation) => {
        const { id, friendlyId = null, subject = null, status = null } = conversation.seed;
        return { id, friendlyId, subject, status, labels: labelsOf(conversation) };
      }),
      sites: [...records.sites.values()].map((site) => {
        const { id, address1 = null, city = null, businessName = null } = site.seed;
        return { id, address1, city, businessName, labels: labelsOf(site) };
      }),
      clients: [...records.clients.values()].map(({ id, name }) => ({ id, name })),
      links: [...records.links.values()].map((link) => {
        const { client, site, isPrimary } = link;
        return { client, site, isPrimary, labels: labelsOf(link) };
      }),
    },
  };
}

/** All labels that a holder carries now, private ones too, by name. */
export const carriedLabels = (tenant: Tenant, holder: LabelHolder): LabelSeed[] =>
  [...tenant.labelsOf(holder)]
    .flatMap((id) => tenant.records.labels.get(id) ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1));
