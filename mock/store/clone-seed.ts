import type { ClientSeed, ConversationSeed, SiteSeed, TenantSeed } from '../seed/schema.ts';

/** Maps every id of the original to the id of the copied record. */
export type IdMap = Readonly<Record<string, string>>;

/**
 * A copy of a tenant under another name. Every record gets a new id of the same form, so that no tenant finds records of
 * another one by accident. Names stay the same. Keys are left out, because two tenants must not share secrets.
 */
export function cloneSeed(seed: TenantSeed, name: string): { seed: TenantSeed; ids: IdMap } {
  const ids: Record<string, string> = {};
  const taken = new Set<string>();
  const fresh = (id: string): string => {
    const known = Object.hasOwn(ids, id) ? ids[id] : undefined;
    if (known !== undefined) return known;
    const made = freshId(id, taken);
    taken.add(made);
    ids[id] = made;
    return made;
  };
  const withFreshId = <T extends { readonly id: string }>(record: T): T => ({ ...record, id: fresh(record.id) });

  const client = (record: ClientSeed): ClientSeed => ({
    ...withFreshId(record),
    ...(record.emails && { emails: record.emails.map(withFreshId) }),
    ...(record.phoneNumbers && { phoneNumbers: record.phoneNumbers.map(withFreshId) }),
  });
  const site = (record: SiteSeed): SiteSeed => ({
    ...withFreshId(record),
    ...(record.clients && { clients: record.clients.map((link) => ({ ...link, client: fresh(link.client) })) }),
  });
  const conversation = ({ participants, ...record }: ConversationSeed): ConversationSeed => ({
    ...withFreshId(record),
    ...(record.sites && { sites: record.sites.map(fresh) }),
    ...(participants && {
      participants: {
        ...(participants.agents && { agents: participants.agents.map(fresh) }),
        ...(participants.clients && { clients: participants.clients.map(fresh) }),
      },
    }),
  });

  const cloned: TenantSeed = {
    ...seed,
    tenant: name,
    keys: [],
    users: seed.users.map(withFreshId),
    labels: seed.labels.map(withFreshId),
    clients: seed.clients.map(client),
    sites: seed.sites.map(site),
    conversations: seed.conversations.map(conversation),
  };
  return { seed: cloned, ids };
}

/** New ids have the same form, because clients may depend on it: a number stays one, and what URLs encode stays in. */
function freshId(id: string, taken: ReadonlySet<string>): string {
  const prefix = /^(?:ovcid-|ovaid-)/.exec(id)?.[0] ?? '';
  const isUuid = prefix !== '' || /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
  const another = (part: string) =>
    /^\d+$/.test(part) ? String(100_000_000 + randomBelow(900_000_000)) : crypto.randomUUID().slice(0, 8);
  for (;;) {
    const made = isUuid ? `${prefix}${crypto.randomUUID()}` : id.replace(/[a-z\d]+|$/i, another);
    if (!taken.has(made) && made !== id) return made;
  }
}

const randomBelow = (limit: number) => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % limit;
