import { UuidMap } from '../../spec/text/uuid.ts';
import type { ClientSeed, ConversationSeed, SiteSeed, TenantSeed } from './schema.ts';

/** The records of a seed by their ids, and the ids of those that refer to them. */
export interface SeedRecords {
  readonly clients: ReadonlyMap<string, ClientSeed>;
  readonly sites: ReadonlyMap<string, SiteSeed>;
  readonly conversations: ReadonlyMap<string, ConversationSeed>;
  /** How many links of clients to sites there are. */
  readonly links: number;
  conversationsOfSite(id: string): readonly string[];
  conversationsOfClient(id: string): readonly string[];
  sitesOfClient(id: string): readonly string[];
}

/** Records that are read when somebody asks for them, because there are too many. The checksum is that of their file. */
export interface UnreadRecords extends SeedRecords {
  readonly sha256: string;
}

/** The records of tenants that were generated. A copy of such a tenant is read whole, as any other tenant. */
export const unreadRecords = new WeakMap<TenantSeed, UnreadRecords>();

export const recordsOf = (seed: TenantSeed): SeedRecords => unreadRecords.get(seed) ?? readRecords(seed);

function readRecords(seed: TenantSeed): SeedRecords {
  // Every reply about a conversation asks for this; the other two are for the console.
  const ofSite = new Map<string, string[]>();
  for (const { id, sites = [] } of seed.conversations) {
    for (const site of sites) {
      const others = ofSite.get(site);
      if (others === undefined) ofSite.set(site, [id]);
      else others.push(id);
    }
  }
  return {
    clients: byId(seed.clients),
    sites: byId(seed.sites),
    conversations: byUuid(seed.conversations),
    links: seed.sites.reduce((sum, { clients = [] }) => sum + clients.length, 0),
    conversationsOfSite: (id) => ofSite.get(id) ?? [],
    conversationsOfClient: (id) => idsOf(seed.conversations, ({ participants }) => participants?.clients?.includes(id)),
    sitesOfClient: (id) => idsOf(seed.sites, ({ clients }) => clients?.some(({ client }) => client === id)),
  };
}

const idsOf = <T extends { readonly id: string }>(
  records: readonly T[],
  isWanted: (record: T) => boolean | undefined,
) => records.filter(isWanted).map(({ id }) => id);

const byId = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.id, record]));

export const byUuid = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new UuidMap(records.map((record) => [record.id, record]));
