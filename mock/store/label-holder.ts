import { MockError } from '../mock-error.ts';
import type { LabelSeed } from '../seed/schema.ts';
import { type LabelHolder, linkKey } from './records.ts';
import type { Tenant } from './tenant.ts';

/** A record that has labels: a conversation, a site, or the link of a client to a site. */
export type HolderRef =
  | { readonly conversation: string }
  | { readonly site: string }
  | { readonly client: string; readonly site: string };

/** Finds a record with labels. @throws MockError `missing`, like the other functions here */
export function holderAt(tenant: Tenant, ref: HolderRef): LabelHolder {
  if ('conversation' in ref) return conversationAt(tenant, ref.conversation);
  if (!('client' in ref)) return siteAt(tenant, ref.site);
  const { client, site } = ref;
  return tenant.records.links.get(linkKey(client, site)) ?? missing(tenant, 'link', `${client} - ${site}`);
}

export const conversationAt = (tenant: Tenant, id: string) =>
  tenant.records.conversations.get(id) ?? missing(tenant, 'conversation', id);

export const siteAt = (tenant: Tenant, id: string) => tenant.records.sites.get(id) ?? missing(tenant, 'site', id);

export const clientAt = (tenant: Tenant, id: string) => tenant.records.clients.get(id) ?? missing(tenant, 'client', id);

/** A public or private label by its id or its name. @throws MockError `missing` */
export function labelAt({ records, name }: Tenant, idOrName: string): LabelSeed {
  const label = records.labels.get(idOrName) ?? records.seed.labels.find((candidate) => candidate.name === idOrName);
  if (label !== undefined) return label;
  throw new MockError('missing', `tenant ${name} has no label ${idOrName}`);
}

function missing(tenant: Tenant, kind: string, id: string): never {
  throw new MockError('missing', `tenant ${tenant.name} has no ${kind} ${id}`);
}
