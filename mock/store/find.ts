import { type OperationId, operations } from '../../spec/operations.ts';
import { Refusal, type RefusalCase, refuse } from '../refusal.ts';
import type { LabelSeed } from '../seed/schema.ts';
import { linkKey } from './records.ts';
import type { Tenant } from './tenant.ts';
import type { Tenants } from './tenants.ts';

/**
 * The record that a request is about; null for an operation about none.
 * @throws Refusal for a record of another tenant as for an unknown id, so that nobody learns that it exists
 */
export function recordOf(
  operation: OperationId,
  { conversations, sites, clients, records }: Tenant,
  { id = '', clientId, siteId = '' }: Readonly<Record<string, string>>,
) {
  if (clientId !== undefined)
    return (
      records.links.get(linkKey(clientId, siteId)) ??
      refuse('unknown-link', `No link of client ${clientId} to site ${siteId}.`, clientId, siteId)
    );
  const { path } = operations[operation];
  if (path.startsWith('/v1/client/')) return clients.get(id) ?? refuse('unknown-client', `No client ${id}.`, id);
  if (path.startsWith('/v1/conversation/'))
    return conversations.get(id) ?? refuse('unknown-conversation', `No conversation ${id}.`, id);
  return path.startsWith('/v1/site/') ? (sites.get(id) ?? refuse('unknown-site', `No site ${id}.`, id)) : null;
}

/** The label of a request, a public one: for the API, private labels do not exist. Undefined if the profile permits another. @throws Refusal */
export function labelOf(
  tenant: Tenant,
  id: string,
  permits: (refusal: RefusalCase, ...sought: string[]) => boolean,
): LabelSeed | undefined {
  const found = tenant.records.publicLabels.get(id);
  if (found !== undefined || permits('unknown-label', id)) return found;
  return refuse('unknown-label', `No public label ${id}; GET /v1/labels lists them.`, id);
}

/** Whether a tenant has the record that a request sought, private labels too. */
const kinds = {
  conversation: (tenant: Tenant, id: string) => tenant.records.conversations.has(id),
  site: (tenant: Tenant, id: string) => tenant.records.sites.has(id),
  client: (tenant: Tenant, id: string) => tenant.records.clients.has(id),
  link: (tenant: Tenant, client: string, site: string) => tenant.records.links.has(linkKey(client, site)),
  label: (tenant: Tenant, id: string) => tenant.records.labels.has(id),
  'file-key': (tenant: Tenant, id: string) => tenant.files.has(id),
};

/**
 * A record that was not found may belong to another tenant or another site, or be a private label. Then this returns a more
 * precise refusal for the journal. Its message for the client stays that of an unknown record.
 * @param asking the name of the tenant that the key belongs to
 */
export function foundElsewhere(
  { case: unknown, message, more: { sought: [id, other = ''] = [] } }: Refusal,
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
