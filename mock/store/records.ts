import { UuidMap } from '../../spec/text/uuid.ts';
import type { TenantSeed } from '../seed/schema.ts';

/** A record that has labels. It never changes; changes are kept in the tenant. */
export type LabelHolder = Conversation | Site | ClientSiteLink;

/** A record, as a fixture file has it, and the ids of its first labels. */
export interface Labelled<Seed> {
  readonly id: string;
  readonly seed: Seed;
  readonly seededLabels: readonly string[];
}

/** A conversation. */
export type Conversation = Labelled<TenantSeed['conversations'][number]>;

/** A site. */
export type Site = Labelled<TenantSeed['sites'][number]>;

export interface ClientSiteLink {
  readonly client: string;
  readonly site: string;
  readonly isPrimary: boolean;
  readonly seededLabels: readonly string[];
}

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
  const idsOf = (names: readonly string[] = []) => names.map((name) => labelIds.get(name) ?? name);
  const conversations = new UuidMap<Conversation>();
  const sites = new Map<string, Site>();
  const links = new Map<string, ClientSiteLink>();
  const ofSite = new Map<string, Conversation[]>();
  for (const site of seed.sites) {
    sites.set(site.id, { id: site.id, seed: site, seededLabels: idsOf(site.labels) });
    for (const { client, isPrimary = false, labels } of site.clients ?? []) {
      links.set(linkKey(client, site.id), { client, site: site.id, isPrimary, seededLabels: idsOf(labels) });
    }
  }
  for (const one of seed.conversations) {
    const conversation = { id: one.id, seed: one, seededLabels: idsOf(one.labels) };
    conversations.set(one.id, conversation);
    for (const site of one.sites ?? []) {
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
    conversations,
    conversationsOfSite: (id: string): readonly Conversation[] => ofSite.get(id) ?? [],
    /** Keyed by `linkKey`. */
    links,
  };
}

const byUuid = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new UuidMap(records.map((record) => [record.id, record]));
