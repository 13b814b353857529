import { type KeyRing, newKey } from '../keys/key-ring.ts';
import { newSecret } from '../keys/secret.ts';
import type { StoredKey } from '../keys/stored-key.ts';
import { MockError, missing } from '../mock-error.ts';
import type { PassthroughTarget } from '../passthrough.ts';
import type { KeySeed, TenantSeed } from '../seed/schema.ts';
import { type AcmeIds, type AcmeKey, namedIn } from './acme-records.ts';
import { cloneSeed, type IdMap } from './clone-seed.ts';
import { indexRecords, type Records } from './records.ts';
import type { StoredBytes } from './site-file.ts';
import { Tenant } from './tenant.ts';

/** The first state of a tenant, to which a reset returns. Only a tenant of a seed has no original. */
export interface Origin {
  readonly records: Records;
  readonly keys: readonly StoredKey[];
  /** The original of a copied tenant; null for a tenant of a seed. */
  readonly from: string | null;
}

/** A new copy of a tenant. Only this object contains the secrets. */
export interface ClonedTenant {
  readonly name: string;
  readonly from: string;
  /** Maps every id of the original to the id of the copied record. Names of labels and keys stay the same. */
  readonly ids: IdMap;
  /** The keys by name. */
  readonly keys: Readonly<Record<string, { readonly id: string; readonly secret: string; readonly revoked: boolean }>>;
  /** The ids of records of the packaged acme by their names, such as `open`. */
  readonly conversations: Readonly<Record<string, string>>;
  readonly sites: Readonly<Record<string, string>>;
  readonly clients: Readonly<Record<string, string>>;
  /** The ids of labels by name. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A copy of the packaged tenant acme, whose names are known. */
export interface ClonedAcme extends ClonedTenant {
  readonly keys: Readonly<Record<AcmeKey, ClonedTenant['keys'][string]>>;
  readonly conversations: AcmeIds<'conversations'>;
  readonly sites: AcmeIds<'sites'>;
  readonly clients: AcmeIds<'clients'>;
  readonly labels: AcmeIds<'labels'>;
}

interface TenantsOptions {
  readonly keys: KeyRing;
  /** Keys of the deployment that answers what the mock does not know, which are keys of the tenants of the same names too. */
  readonly deployed?: PassthroughTarget['tenants'];
  /** Whether keys of seeds have the limits that their seed gives them. */
  readonly limited: boolean;
  readonly now: () => number;
  /** Is called with stored bytes that are no longer used. */
  readonly discard: (bytes: readonly StoredBytes[]) => void;
  /** Is called with the name of a removed tenant. */
  readonly onRemoved: (name: string) => void;
}

/** The tenants of a mock by name, with their keys. `create` and `remove` change them. */
export class Tenants extends Map<string, Tenant> {
  readonly #options: TenantsOptions;
  /** The first states of all tenants of seeds, even of removed ones. */
  readonly #seeded = new Map<string, Origin>();
  /** The number for the next generated name. */
  #named = 0;

  /** @internal */
  constructor(seeds: readonly TenantSeed[], options: TenantsOptions) {
    super();
    this.#options = options;
    for (const seed of seeds) this.#createFromSeed(seed);
  }

  /**
   * @throws MockError `missing`
   * @internal
   */
  existing(name: string): Tenant {
    const some = () => [...this.keys().take(8), ...(this.size > 8 ? ['...'] : [])].join(', ');
    return this.get(name) ?? missing(`there is no tenant ${name}; there are ${some()}`);
  }

  /**
   * The first state of a tenant that has a seed.
   * @internal
   */
  seeded(name: string): Origin | undefined {
    return this.#seeded.get(name);
  }

  /**
   * The names of all tenants of seeds that were removed.
   * @internal
   */
  removed(): string[] {
    return [...this.#seeded.keys()].filter((name) => !this.has(name));
  }

  /**
   * Creates a copy of a tenant from its seed, with new ids and keys. Only this result contains the secrets.
   *
   *     const { name, keys, conversations } = mock.tenants.create({ from: 'acme' });
   *     const url = `/v1/conversation/${conversations.open}`;
   * @throws MockError
   */
  create<From extends string>(options: {
    readonly from: From;
    readonly name?: string | undefined;
  }): From extends 'acme' ? ClonedAcme : ClonedTenant {
    const { from, name = this.#freeName(from) } = options;
    const { records, keys } = this.#seeded.get(from) ?? this.existing(from).origin;
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) {
      throw new MockError('invalid', 'name: give at most 63 lower-case letters, digits and hyphens');
    }
    if (this.#isTaken(name)) throw new MockError('conflict', `there is a tenant ${name} already`);
    const { seed, ids } = cloneSeed(records.seed, name);
    const createdAt = this.#options.now();
    const fresh = keys.map((key) => {
      const secret = newSecret();
      return { secret, key: newKey(secret, key, createdAt) };
    });
    this.#put(name, { from, records: indexRecords(seed), keys: fresh.map(({ key }) => key) });
    const revealed = fresh.map(({ secret, key: { name, id, revoked } }) => [name, { id, secret, revoked }] as const);
    const labels = Object.fromEntries(seed.labels.map(({ name, id }) => [name, id]));
    const cloned: ClonedTenant = { name, from, ids, keys: Object.fromEntries(revealed), ...namedIn(ids), labels };
    // The type cannot follow that the names of acme are in its copy.
    return cloned as never;
  }

  /**
   * Removes a tenant with its keys, files, faults and exchanges in the journal. `reset()` brings back a tenant of a seed.
   * @throws MockError `missing`
   */
  remove(name: string): void {
    this.#drop(name);
    this.#options.onRemoved(name);
  }

  /**
   * How many bytes all uploads have together.
   * @internal
   */
  storedBytes(): number {
    let sum = 0;
    for (const { files } of this.values()) for (const { stored } of files.values()) sum += stored?.size ?? 0;
    return sum;
  }

  /**
   * Resets one tenant, or all. If all are reset, copies are removed. @throws MockError `missing`
   * @internal
   */
  reset(name?: string): void {
    if (name !== undefined) {
      this.#resetOne(name);
      return;
    }
    for (const { name, clonedFrom } of [...this.values()]) if (clonedFrom !== null) this.#drop(name);
    for (const seeded of this.#seeded.keys()) this.#resetOne(seeded);
  }

  /**
   * Replaces the seeds. Copies, and tenants whose seed is the same, keep their state.
   * @internal
   */
  reseed(seeds: readonly TenantSeed[]): void {
    const next = new Map(seeds.map((seed) => [seed.tenant, seed]));
    for (const [name, { records }] of [...this.#seeded]) {
      if (JSON.stringify(records.seed) === JSON.stringify(next.get(name))) continue;
      if (this.has(name)) this.#drop(name);
      this.#seeded.delete(name);
    }
    for (const [name, seed] of next) {
      if (this.#seeded.has(name)) continue;
      if (this.has(name)) this.#drop(name);
      this.#createFromSeed(seed);
    }
  }

  /**
   * Replaces all tenants. A seed that has no tenant then, and is not one of the removed, is new and gets its tenant.
   * @returns the stored bytes that are no longer used
   * @internal
   */
  replace(
    tenants: readonly { readonly tenant: Tenant; readonly keys: readonly StoredKey[] }[],
    removed: readonly string[],
  ): StoredBytes[] {
    const old = [...this.values()];
    for (const { name } of old) this.#options.keys.removeTenant(name);
    this.clear();
    for (const { tenant, keys } of tenants) {
      this.set(tenant.name, tenant);
      for (const key of keys) this.#options.keys.put(tenant.name, key);
    }
    for (const name of this.removed()) if (!removed.includes(name)) this.#resetOne(name);
    return old.flatMap((tenant) => tenant.reset());
  }

  #drop(name: string): void {
    this.#options.discard(this.existing(name).reset());
    this.#options.keys.removeTenant(name);
    this.delete(name);
  }

  #resetOne(name: string): void {
    const tenant = this.get(name);
    const origin = this.#seeded.get(name) ?? this.existing(name).origin;
    if (tenant !== undefined) {
      this.#options.discard(tenant.reset());
      this.#options.keys.removeTenant(name);
    }
    this.#put(name, origin, tenant);
  }

  /** Puts a tenant in its first state, with its keys. */
  #put(name: string, origin: Origin, tenant = new Tenant(name, origin)): void {
    this.set(name, tenant);
    for (const key of origin.keys) this.#options.keys.put(name, key);
  }

  #createFromSeed(seed: TenantSeed): void {
    const { limited, now, keys: ring } = this.#options;
    // All keys get the same time, so that lists sorted by time keep the order of the file.
    const createdAt = now();
    // Their ids are the same in every mock. To load what makes random ones would be a part of every start.
    const stored = ({ secret, ...key }: KeySeed) =>
      newKey(secret, { ...key, ...(!limited && { rateLimit: null }) }, createdAt, `${seed.tenant}.${key.name}`);
    const keys = seed.keys.map((key) => {
      const kept = stored(key);
      ring.document(key.secret, kept);
      return kept;
    });
    const own = new Set(seed.keys.map(({ secret }) => secret));
    const deployed = this.#options.deployed?.find(({ name }) => name === seed.tenant)?.keys ?? [];
    for (const key of deployed) {
      // Unlike that of a fixture it is a real secret: it is redacted, and never shown.
      ring.secrets.add(key.secret, '…');
      if (!own.has(key.secret)) keys.push(stored({ ...key, name: `${key.name} (deployment)` }));
    }
    const origin = { from: null, keys, records: indexRecords(seed) };
    this.#seeded.set(seed.tenant, origin);
    this.#put(seed.tenant, origin);
  }

  #isTaken(name: string): boolean {
    return this.has(name) || this.#seeded.has(name);
  }

  /** A name that no copy has had before, so that traces of an earlier copy are not taken for the new one's. */
  #freeName(from: string): string {
    this.#named = Math.max(this.#named, this.size);
    while (this.#isTaken(`${from}-${this.#named}`)) this.#named++;
    return `${from}-${this.#named++}`;
  }
}
