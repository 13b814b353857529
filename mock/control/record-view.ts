import { clientDetails, contextOf, siteDetails } from '../store/record-bodies.ts';
import type { Tenant } from '../store/tenant.ts';

/**
 * Views of one record: the reply of the API, all its labels with private ones, and the ids of linked records. The data of
 * linked records is in the tenant's records.
 */

export function conversationView(tenant: Tenant, id: string) {
  const conversation = tenant.conversations.existing(id);
  const { sites = [], participants } = conversation.seed;
  return {
    id: conversation.id,
    reply: contextOf(tenant, conversation),
    labels: tenant.allLabelsOf(conversation),
    conversations: [],
    sites,
    clients: participants?.clients ?? [],
  };
}

export function siteView(tenant: Tenant, id: string) {
  const site = tenant.sites.existing(id);
  return {
    id,
    reply: siteDetails(tenant, site.seed),
    labels: tenant.allLabelsOf(site),
    conversations: tenant.records.conversationsOfSite(id).map((conversation) => conversation.id),
    sites: [],
    clients: (site.seed.clients ?? []).map(({ client }) => client),
  };
}

export function clientView(tenant: Tenant, id: string) {
  const client = tenant.clients.existing(id);
  return {
    id,
    reply: clientDetails(client),
    // A client has no labels. Only its links to sites have.
    labels: [],
    conversations: tenant.records.conversationsOfClient(id),
    sites: tenant.records.sitesOfClient(id),
    clients: [],
  };
}
