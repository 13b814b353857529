import type { StoredKey } from '../keys/key-ring.ts';
import type { TenantSeed } from '../seed/schema.ts';
import type { SiteFile, StoredBytes } from '../store/tenant.ts';

/** The version of the format below; a mock reads no other. */
export const snapshotVersion = 1;

/** A file in a snapshot, with its bytes in Base64; null where they are only in the mock's file store. */
export interface SnapshotFile extends Omit<SiteFile, 'stored' | 'registered'> {
  readonly stored: (StoredBytes & { readonly content: string | null }) | null;
  readonly registered: { readonly name?: string | undefined; readonly size: number; readonly at: number } | null;
}

/** What changed in one tenant since its seed. */
export interface SnapshotTenant {
  readonly name: string;
  /** Only of a tenant made on demand: what it was made from and what it was at first; its keys are hashes, as everywhere. */
  readonly clone: { readonly from: string; readonly seed: TenantSeed; readonly keys: readonly StoredKey[] } | null;
  /** All labels, private ones too, by id, of the holders whose labels were changed. */
  readonly labels: {
    readonly conversations: Readonly<Record<string, readonly string[]>>;
    readonly sites: Readonly<Record<string, readonly string[]>>;
    readonly links: readonly { readonly client: string; readonly site: string; readonly labels: readonly string[] }[];
  };
  readonly files: readonly SnapshotFile[];
  readonly keys: readonly StoredKey[];
}

/** The whole state of a mock beside its seeds, as JSON. Buckets, faults and the journal are no state of the API. */
export interface Snapshot {
  readonly version: typeof snapshotVersion;
  /** ISO date-time by the mock's clock. */
  readonly takenAt: string;
  /** How far the clock was ahead, in milliseconds, and the instant at which it was frozen, where it was. */
  readonly clock: { readonly offset: number; readonly frozenAt: number | null };
  /** @internal */
  readonly tenants: readonly SnapshotTenant[];
  /** Tenants of seeds that were removed. A seed that is in neither list is new, and as at first. */
  readonly removed: readonly string[];
}

/** What a snapshot holds. */
export interface SnapshotOptions {
  /** Whether bytes of files are in it: true by default. Without them only a mock with the same file store can restore it. */
  readonly content?: boolean | undefined;
}
