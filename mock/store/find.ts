import { refuse } from '../refusal.ts';
import type { ClientSeed, LabelSeed } from '../seed/schema.ts';
import { type ClientSiteLink, type Conversation, linkKey, type Site } from './records.ts';
import type { Tenant } from './tenant.ts';

/**
 * Finds records, or refuses the request. A record of another tenant gets the same refusal as an unknown id, so that nobody
 * learns that it exists.
 */

export function conversationOf(tenant: Tenant, id: string): Conversation {
  return tenant.conversations.get(id) ?? refuse('unknown-conversation', `No conversation ${id}.`, id);
}

export function siteOf(tenant: Tenant, id: string): Site {
  return tenant.sites.get(id) ?? refuse('unknown-site', `No site ${id}.`, id);
}

export function clientOf(tenant: Tenant, id: string): ClientSeed {
  return tenant.clients.get(id) ?? refuse('unknown-client', `No client ${id}.`, id);
}

export function linkOf(tenant: Tenant, client: string, site: string): ClientSiteLink {
  return (
    tenant.links.get(linkKey(client, site)) ??
    refuse('unknown-link', `No link of client ${client} to site ${site}.`, client, site)
  );
}

/** Finds public labels only. For the API, private labels do not exist. */
export function publicLabelOf(tenant: Tenant, id: string): LabelSeed {
  return (
    tenant.publicLabels.get(id) ?? refuse('unknown-label', `No public label ${id}; GET /v1/labels lists them.`, id)
  );
}
