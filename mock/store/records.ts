import { UuidMap } from '../../spec/text/uuid.ts';
import type { ConversationSeed, SiteSeed, TenantSeed } from '../seed/schema.ts';

/** A record that has labels, as a fixture file has it. It never changes; changes of its labels are kept in the tenant. */
export type LabelHolder = ConversationSeed | SiteSeed | ClientSiteLink;

export type ClientSiteLink = NonNullable<SiteSeed['clients']>[number] & { readonly site: string };

/** The records of a seed, with an index for every read of the API. All tenants of that seed share them. */
export type Records = Readonly<ReturnType<typeof indexRecords>>;

/** Names a record that has labels: a conversation, a site, or the link of a client to a site. */
export type HolderRef =
  | { readonly conversation: string }
  | { readonly site: string }
  | { readonly client: string; readonly site: string };

export function holderOf(records: Records, ref: HolderRef): LabelHolder | undefined {
  if ('conversation' in ref) return records.conversations.get(ref.conversation);
  return 'client' in ref ? records.links.get(linkKey(ref.client, ref.site)) : records.sites.get(ref.site);
}

export function refOf({ sites }: Records, holder: LabelHolder): HolderRef {
  if ('client' in holder) return { client: holder.client, site: holder.site };
  return sites.get(holder.id) === holder ? { site: holder.id } : { conversation: holder.id };
}

/** JSON, so that the two ids cannot be confused, whatever characters they have. */
export const linkKey = (client: string, site: string) => JSON.stringify([client, site]);

/** Indexes a seed whose references were checked. */
export function indexRecords(seed: TenantSeed) {
  const labels = seed.labels.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const labelIds = new Map(labels.map((label) => [label.name, label.id]));
  const sites = new Map(seed.sites.map((site) => [site.id, site]));
  const links = new Map<string, ClientSiteLink>();
  const ofSite = new Map<string, ConversationSeed[]>();
  for (const site of seed.sites)
    for (const link of site.clients ?? []) links.set(linkKey(link.client, site.id), { ...link, site: site.id });
  for (const conversation of seed.conversations) {
    for (const site of conversation.sites ?? []) {
      const others = ofSite.get(site);
      if (others === undefined) ofSite.set(site, [conversation]);
      else others.push(conversation);
    }
  }
  return {
    seed,
    /** Sorted by name, like in every reply. */
    labels: byUuid(labels),
    publicLabels: byUuid(labels.filter((label) => label.visibility === 'public')),
    users: byUuid(seed.users),
    clients: new Map(seed.clients.map((client) => [client.id, client])),
    sites,
    conversations: byUuid(seed.conversations),
    /** The ids of the labels that a record has at first, with private ones. */
    firstLabelsOf: ({ labels = [] }: LabelHolder) => labels.map((name) => labelIds.get(name) ?? name),
    conversationsOfSite: (id: string): readonly ConversationSeed[] => ofSite.get(id) ?? [],
    /** Keyed by `linkKey`. */
    links,
  };
}

const byUuid = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new UuidMap(records.map((record) => [record.id, record]));
