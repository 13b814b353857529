import { type OperationId, operations } from '../../spec/operations.ts';
import { Refusal, type RefusalCase, refuse } from '../refusal.ts';
import type { ClientSeed, LabelSeed } from '../seed/schema.ts';
import { type ClientSiteLink, type Conversation, type LabelHolder, linkKey, type Site } from './records.ts';
import type { Tenant } from './tenant.ts';
import type { Tenants } from './tenants.ts';

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

/** The record that a request is about; null for an operation about none. */
export function recordOf(
  operation: OperationId,
  tenant: Tenant,
  { id = '', clientId, siteId = '' }: Readonly<Record<string, string>>,
): unknown {
  if (clientId !== undefined) return linkOf(tenant, clientId, siteId);
  const [, , kind] = operations[operation].path.split('/');
  if (kind === 'client') return clientOf(tenant, id);
  if (kind === 'conversation') return conversationOf(tenant, id);
  return kind === 'site' ? siteOf(tenant, id) : null;
}

/** Removes a label from a record, unless it cannot be on and the profile permits to remove such a one. */
export function removeLabelOf(
  holder: LabelHolder,
  {
    tenant,
    params: { labelId },
    permits,
  }: {
    readonly tenant: Tenant;
    readonly params: { readonly labelId: string };
    permits(refusal: RefusalCase, ...sought: string[]): boolean;
  },
): void {
  if (tenant.publicLabels.has(labelId) || !permits('unknown-label', labelId))
    tenant.removeLabel(holder, publicLabelOf(tenant, labelId));
}

/** Whether a tenant has the record that a request sought, private labels too. */
const kinds = {
  conversation: (tenant: Tenant, id: string) => tenant.conversations.has(id),
  site: (tenant: Tenant, id: string) => tenant.sites.has(id),
  client: (tenant: Tenant, id: string) => tenant.clients.has(id),
  link: (tenant: Tenant, client: string, site: string) => tenant.links.has(linkKey(client, site)),
  label: (tenant: Tenant, id: string) => tenant.labels.has(id),
  'file-key': (tenant: Tenant, id: string) => tenant.files.has(id),
};

/**
 * A record that was not found may belong to another tenant or another site, or be a private label. Then this returns a more
 * precise refusal for the journal. Its message for the client stays that of an unknown record.
 * @param asking the name of the tenant that the key belongs to
 */
export function foundElsewhere(
  { case: unknown, message, sought: [id, other = ''] }: Refusal,
  asking: string | null,
  tenants: Pick<Tenants, 'values'>,
): Refusal | null {
  const kind = unknown.replace('unknown-', '') as keyof typeof kinds;
  if (!Object.hasOwn(kinds, kind) || id === undefined) return null;
  const owner = [...tenants.values()].find((tenant) => kinds[kind](tenant, id, other));
  if (owner === undefined) return null;
  const isPrivate = owner.name === asking && kind === 'label';
  const found: RefusalCase = isPrivate ? 'private-label' : `foreign-${kind}`;
  const another = owner.name === asking ? 'another site' : `the tenant ${owner.name}`;
  const why = isPrivate ? 'it is private' : `it belongs to ${another}`;
  return new Refusal(found, message, { detail: `${message.replace(/\.$/, '')} (${why}).` });
}
