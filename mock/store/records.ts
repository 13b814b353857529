import { Mapped, type MapSource } from '../seed/mapped.ts';
import type {
  ClientSeed,
  ConversationSeed,
  LabelSeed,
  LinkSeed,
  SiteSeed,
  TenantSeed,
  UserSeed,
} from '../seed/schema.ts';
import { byUuid, recordsOf, type SeedRecords } from '../seed/seed-records.ts';

/** A record that has labels. It never changes; changes are kept in the tenant. */
export type LabelHolder = Conversation | Site | ClientSiteLink;

interface Labelled {
  /** The labels of the seed. */
  readonly seededLabels: readonly string[];
}

export interface Conversation extends Labelled {
  readonly id: string;
  readonly seed: ConversationSeed;
}

export interface Site extends Labelled {
  readonly id: string;
  readonly seed: SiteSeed;
}

export interface ClientSiteLink extends Labelled {
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
  readonly conversationsOfSite: (id: string) => readonly Conversation[];
  /** Ids, like the sites of a client. */
  readonly conversationsOfClient: (id: string) => readonly string[];
  readonly sitesOfClient: (id: string) => readonly string[];
  /** Keyed by `linkKey`. */
  readonly links: ReadonlyMap<string, ClientSiteLink>;
}

/** JSON, so that the two ids cannot be confused, whatever characters they have. */
export const linkKey = (client: string, site: string) => JSON.stringify([client, site]);

const noLabels: readonly string[] = Object.freeze([]);

/** Indexes a seed whose relations were checked. */
export function indexRecords(seed: TenantSeed): Records {
  const labels = byUuid(seed.labels);
  const labelIds = new Map(seed.labels.map((label) => [label.name, label.id]));
  const idsOf = (names: readonly string[] | undefined) =>
    names === undefined || names.length === 0 ? noLabels : names.map((name) => labelIds.get(name) ?? name);

  const known = recordsOf(seed);
  const conversations = new Mapped(
    known.conversations,
    (conversation): Conversation => ({
      id: conversation.id,
      seed: conversation,
      seededLabels: idsOf(conversation.labels),
    }),
    (id) => id.toLowerCase(),
  );
  const sites = new Mapped(
    known.sites,
    (site): Site => ({ id: site.id, seed: site, seededLabels: idsOf(site.labels) }),
  );
  const links = new Mapped(
    linksOf(known),
    ({ client, site, isPrimary = false, labels }): ClientSiteLink => ({
      client,
      site,
      isPrimary,
      seededLabels: idsOf(labels),
    }),
  );

  return {
    seed,
    labels,
    publicLabels: byUuid(seed.labels.filter((label) => label.visibility === 'public').sort(byNameThenId)),
    users: byUuid(seed.users),
    clients: known.clients,
    sites,
    conversations,
    conversationsOfSite: (id) => known.conversationsOfSite(id).flatMap((found) => conversations.get(found) ?? []),
    conversationsOfClient: (id) => known.conversationsOfClient(id),
    sitesOfClient: (id) => known.sitesOfClient(id),
    links,
  };
}

/** Every record that has labels. Of a large tenant each is read when its turn comes. */
export function* labelHoldersOf({ conversations, sites, links }: Records): Generator<LabelHolder> {
  yield* conversations.values();
  yield* sites.values();
  yield* links.values();
}

/** The links of all sites, by `linkKey`. */
function linksOf({ sites, links }: SeedRecords): MapSource<LinkSeed & { readonly site: string }> {
  const get = (key: string) => {
    const [client, site] = JSON.parse(key);
    const link = sites.get(site)?.clients?.find((each) => each.client === client);
    return link && { ...link, site };
  };
  return {
    size: links,
    get,
    has: (key) => get(key) !== undefined,
    *keys() {
      for (const [site, { clients = [] }] of sites) for (const { client } of clients) yield linkKey(client, site);
    },
  };
}

const byNameThenId = (a: LabelSeed, b: LabelSeed) => compare(a.name, b.name) || compare(a.id, b.id);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
