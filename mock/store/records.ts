import { type ConversationLine, linesOf } from '../seed/conversation-line.ts';
import type { ClientSeed, ConversationSeed, LabelSeed, SiteSeed, TenantSeed, UserSeed } from '../seed/schema.ts';

/** A record that has labels, with the labels of its seed. It never changes; changes are kept in the tenant. */
export interface LabelHolder {
  readonly seededLabels: readonly string[];
}

export interface Conversation extends LabelHolder {
  readonly id: string;
  readonly seed: ConversationSeed;
  /** Ids of the clients that take part. */
  readonly clients: readonly string[];
}

/** A conversation of which only a line was read. */
class UnreadConversation implements Conversation {
  readonly #line: ConversationLine;
  readonly seededLabels: readonly string[];

  constructor(line: ConversationLine, seededLabels: readonly string[]) {
    this.#line = line;
    this.seededLabels = seededLabels;
  }

  get id(): string {
    return this.#line.id;
  }

  get seed(): ConversationSeed {
    return this.#line.seed;
  }

  get clients(): readonly string[] {
    return this.#line.refers.participants?.clients ?? [];
  }
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
  const index = (conversation: Conversation, sites: readonly string[] = []) => {
    conversations.set(conversation.id, conversation);
    for (const site of sites) {
      const others = conversationsOfSite.get(site);
      if (others === undefined) conversationsOfSite.set(site, [conversation]);
      else others.push(conversation);
    }
  };
  const lines = linesOf.get(seed);
  for (const line of lines ?? []) index(new UnreadConversation(line, idsOf(line.refers.labels)), line.refers.sites);
  for (const conversation of lines === undefined ? seed.conversations : []) {
    const { id, labels, sites, participants } = conversation;
    index({ id, seed: conversation, seededLabels: idsOf(labels), clients: participants?.clients ?? [] }, sites);
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
