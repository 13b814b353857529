import { MockError } from '../mock-error.ts';
import type { LabelSeed } from '../seed/schema.ts';
import { type LabelHolder, linkKey } from './records.ts';
import type { Tenant } from './tenant.ts';

/** A record that has labels: a conversation, a site, or the link of a client to a site. */
export type HolderRef =
  | { readonly conversation: string }
  | { readonly site: string }
  | { readonly client: string; readonly site: string };

/** Finds a record with labels. @throws MockError `missing` */
export function holderAt(tenant: Tenant, ref: HolderRef): LabelHolder {
  if ('conversation' in ref) return tenant.conversations.existing(ref.conversation);
  if (!('client' in ref)) return tenant.sites.existing(ref.site);
  const link = tenant.links.get(linkKey(ref.client, ref.site));
  if (link !== undefined) return link;
  throw new MockError('missing', `tenant ${tenant.name} has no link ${ref.client} - ${ref.site}`);
}

/** A public or private label by its id or its name. @throws MockError `missing` */
export const labelAt = ({ labels }: Tenant, idOrName: string): LabelSeed =>
  [...labels.values()].find(({ name }) => name === idOrName) ?? labels.existing(idOrName);
