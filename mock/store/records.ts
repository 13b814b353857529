import type { ClientSeed, ConversationSeed, LabelSeed, SiteSeed, TenantSeed, UserSeed } from '../seed/schema.ts';

/** A record that has labels, with the labels of its seed. It never changes; changes are kept in the tenant. */
export interface LabelHolder {
  readonly seededLabels: readonly string[];
}

export interface Conversation extends LabelHolder {
  readonly id: string;
  readonly seed: ConversationSeed;
}

export interface Site extends LabelHolder {
  readonly id: string;
  readonly seed: SiteSeed;
}

export interface ClientSiteLink extends LabelHolder {
  readonly client: string;
  readonly site: string;
  readonly isPrimary: boolean;
}

/** The records of a seed, with an index for every read of the API. All tenants of that seed share them. */
export interface Records {
  readonly seed: TenantSeed;
  readonly labels: ReadonlyMap<string, LabelSeed>;
  /** Sorted by name, then id, like in every reply. */
  readonly publicLabels: ReadonlyMap<string, LabelSeed>;
  readonly users: ReadonlyMap<string, UserSeed>;
  readonly clients: ReadonlyMap<string, ClientSeed>;
  readonly sites: ReadonlyMap<string, Site>;
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly conversationsOfSite: ReadonlyMap<string, readonly Conversation[]>;
  /** Keyed by `linkKey`. */
  readonly links: ReadonlyMap<string, ClientSiteLink>;
}

/** JSON, so that the two ids cannot be confused, whatever characters they have. */
export const linkKey = (client: string, site: string) => JSON.stringify([client, site]);

const noLabels: readonly string[] = Object.freeze([]);

/** Indexes a seed whose relations were checked. */
export function indexRecords(seed: TenantSeed): Records {
  const labels = byId(seed.labels);
  const labelIds = new Map(seed.labels.map((label) => [label.name, label.id]));
  const idsOf = (names: readonly string[] | undefined) =>
    names === undefined || names.length === 0 ? noLabels : names.map((name) => labelIds.get(name) ?? name);

  const conversations = new Map<string, Conversation>();
  const conversationsOfSite = new Map<string, Conversation[]>();
  for (const conversation of seed.conversations) {
    const record = { id: conversation.id, seed: conversation, seededLabels: idsOf(conversation.labels) };
    conversations.set(record.id, record);
    for (const site of conversation.sites ?? []) {
      const others = conversationsOfSite.get(site);
      if (others === undefined) conversationsOfSite.set(site, [record]);
      else others.push(record);
    }
  }

  const sites = new Map<string, Site>();
  const links = new Map<string, ClientSiteLink>();
  for (const site of seed.sites) {
    sites.set(site.id, { id: site.id, seed: site, seededLabels: idsOf(site.labels) });
    for (const link of site.clients ?? []) {
      links.set(linkKey(link.client, site.id), {
        client: link.client,
        site: site.id,
        isPrimary: link.isPrimary ?? false,
        seededLabels: idsOf(link.labels),
      });
    }
  }

  return {
    seed,
    labels,
    publicLabels: byId(seed.labels.filter((label) => label.visibility === 'public').sort(byNameThenId)),
    users: byId(seed.users),
    clients: byId(seed.clients),
    sites,
    conversations,
    conversationsOfSite,
    links,
  };
}

const byId = <T extends { readonly id: string }>(records: readonly T[]): Map<string, T> =>
  new Map(records.map((record) => [record.id, record]));

const byNameThenId = (a: LabelSeed, b: LabelSeed) => compare(a.name, b.name) || compare(a.id, b.id);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
