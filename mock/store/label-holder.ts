import { MockError } from '../mock-error.ts';
import type { LabelSeed } from '../seed/schema.ts';
import { type LabelHolder, linkKey } from './records.ts';
import type { Tenant } from './tenant.ts';

/** What carries labels: a conversation, a site, or the link of a client to a site. */
export type HolderRef =
  | { readonly conversation: string }
  | { readonly site: string }
  | { readonly client: string; readonly site: string };

/** @throws MockError `missing` naming what the tenant does not have. */
export function holderAt(tenant: Tenant, ref: HolderRef): LabelHolder {
  const { records } = tenant;
  if ('conversation' in ref)
    return records.conversations.get(ref.conversation) ?? missing(tenant, 'conversation', ref.conversation);
  if ('client' in ref) {
    return records.links.get(linkKey(ref.client, ref.site)) ?? missing(tenant, 'link', `${ref.client} - ${ref.site}`);
  }
  return records.sites.get(ref.site) ?? missing(tenant, 'site', ref.site);
}

/** A label by its id or its name, private ones too. @throws MockError `missing`. */
export function labelAt({ records, name }: Tenant, idOrName: string): LabelSeed {
  const label = records.labels.get(idOrName) ?? records.seed.labels.find((candidate) => candidate.name === idOrName);
  if (label !== undefined) return label;
  throw new MockError('missing', `tenant ${name} has no label ${idOrName}`);
}

function missing(tenant: Tenant, kind: string, id: string): never {
  throw new MockError('missing', `tenant ${tenant.name} has no ${kind} ${id}`);
}
