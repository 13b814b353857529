import { refuse } from '../refusal.ts';
import type { ClientSeed, LabelSeed } from '../seed/schema.ts';
import { type ClientSiteLink, type Conversation, linkKey, type Site } from './records.ts';
import type { Tenant } from './tenant.ts';

/**
 * Look-ups that an operation cannot go on without. What another tenant has does not exist here, and the refusal is the
 * same as for an id that nobody has: it tells a stranger nothing.
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

/** Private labels cannot be reached: to the API they do not exist. */
export function publicLabelOf(tenant: Tenant, id: string): LabelSeed {
  return (
    tenant.publicLabels.get(id) ?? refuse('unknown-label', `No public label ${id}; GET /v1/labels lists them.`, id)
  );
}
