import type { TenantSeed } from '../seed/schema.ts';

/** Maps every id of the original to the id of the copied record. */
export type IdMap = Readonly<Record<string, string>>;

/** Fields of records that hold an id, or a list of ids. */
const holdIds: ReadonlySet<string> = new Set(['id', 'client', 'clients', 'agents', 'sites']);

/**
 * A copy of a tenant under another name. Every record gets a new id of the same form, so that no tenant finds records of
 * another one by accident. Names stay the same. Keys are left out, because two tenants must not share secrets.
 */
export function cloneSeed({ keys: _, ...seed }: TenantSeed, tenant: string): { seed: TenantSeed; ids: IdMap } {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const fresh = (id: string): string => {
    const made = ids.get(id) ?? freshId(id, taken);
    taken.add(made);
    ids.set(id, made);
    return made;
  };
  const copied = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') return holdIds.has(field) ? fresh(value) : value;
    if (typeof value !== 'object' || value === null) return value;
    const isList = Array.isArray(value);
    const parts = Object.entries(value).map(
      ([name, part]) => [part, name, copied(part, isList ? field : name)] as const,
    );
    // What holds no id is shared, so that texts exist once for all copies.
    if (parts.every(([part, , copy]) => copy === part)) return value;
    return isList ? parts.map(([, , copy]) => copy) : Object.fromEntries(parts.map(([, ...entry]) => entry));
  };
  const cloned = { ...(copied(seed, '') as TenantSeed), tenant, keys: [] };
  return { seed: cloned, ids: Object.fromEntries(ids) };
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
