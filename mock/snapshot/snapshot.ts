import type { StoredKey } from '../keys/key-ring.ts';
import type { TenantSeed } from '../seed/schema.ts';
import type { SiteFile, StoredBytes } from '../store/tenant.ts';

/** The version of this format. A mock reads no other version. */
export const snapshotVersion = 1;

/** A file in a snapshot. Its `content` is Base64, or null if the bytes are only in the mock's file store. */
export interface SnapshotFile extends Omit<SiteFile, 'stored' | 'registered'> {
  readonly stored: (StoredBytes & { readonly content: string | null }) | null;
  readonly registered: { readonly name?: string | undefined; readonly size: number; readonly at: number } | null;
}

/** The changes of one tenant since its seed. */
export interface SnapshotTenant {
  readonly name: string;
  /** For a copied tenant: its original, and its first state. Keys are stored as hashes. */
  readonly clone: { readonly from: string; readonly seed: TenantSeed; readonly keys: readonly StoredKey[] } | null;
  /** The records, without keys, if a test has changed them. */
  readonly records?: TenantSeed | null | undefined;
  /** All labels, with private ones, of the records whose labels were changed. */
  readonly labels: {
    readonly conversations: Readonly<Record<string, readonly string[]>>;
    readonly sites: Readonly<Record<string, readonly string[]>>;
    readonly links: readonly { readonly client: string; readonly site: string; readonly labels: readonly string[] }[];
  };
  readonly files: readonly SnapshotFile[];
  readonly keys: readonly StoredKey[];
}

/** The whole state of a mock without its seeds, as JSON. Buckets, faults and the journal are not included. */
export interface Snapshot {
  readonly version: typeof snapshotVersion;
  /** ISO date-time by the mock's clock. */
  readonly takenAt: string;
  /** How many milliseconds the clock was ahead of real time, and the time at which it was frozen, if it was. */
  readonly clock: { readonly offset: number; readonly frozenAt: number | null };
  /** @internal */
  readonly tenants: readonly SnapshotTenant[];
  /** Removed tenants of seeds. A seed in neither list is new and gets its first state. */
  readonly removed: readonly string[];
}

/** Options of a snapshot. */
export interface SnapshotOptions {
  /** Whether the snapshot contains the bytes of files: true by default. Without them only a mock with the same file store can restore it. */
  readonly content?: boolean | undefined;
}
