import type { KeyRing } from '../keys/key-ring.ts';
import { bytesOf } from '../message.ts';
import { MockError } from '../mock-error.ts';
import type { Parts } from '../parts.ts';
import type { FileStore } from '../storage/files.ts';
import { refOf } from '../store/records.ts';
import type { Tenant } from '../store/tenant.ts';
import type { Snapshot, SnapshotTenant } from './restore-snapshot.ts';

/** Options of a snapshot. */
export interface SnapshotOptions {
  /** Whether the snapshot contains the bytes of files: true by default. Without them only a mock with the same file store can restore it. */
  readonly content?: boolean | undefined;
}

/** The current state of a mock. @throws MockError if it is to have the bytes of files and they are more than 64 MiB */
export async function takeSnapshot(
  { clock, tenants, keys, store }: Parts,
  { content = true }: SnapshotOptions = {},
): Promise<Snapshot> {
  const snapshot: Snapshot = {
    version: 1,
    takenAt: new Date(clock.now()).toISOString(),
    clock: clock.frozen ? { offset: 0, frozenAt: clock.now() } : { offset: clock.offset, frozenAt: null },
    tenants: [...tenants.values()].map((tenant) => tenantIn(tenant, keys)),
    content: {},
    removed: tenants.removed(),
  };
  if (content) await fill(snapshot, store);
  return snapshot;
}

function tenantIn(tenant: Tenant, keys: KeyRing): SnapshotTenant {
  const { name, origin, edited, files } = tenant;
  const { from, records } = origin;
  return {
    name,
    clone: from === null ? null : { from, seed: records.seed, keys: [...origin.keys] },
    records: edited && { ...edited, keys: [] },
    labels: labelsOf(tenant),
    files: structuredClone([...files.values()]),
    keys: keys.list(name).map(({ tenant: _, bucket: __, ...key }) => key),
  };
}

/** In the order of ids, so that equal states make equal snapshots. */
const labelsOf = (tenant: Tenant): SnapshotTenant['labels'] =>
  [...tenant.changedHolders()]
    .map(([holder, carried]) => ({ ...refOf(tenant.records, holder), labels: [...carried].sort() }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** While a snapshot is taken, the bytes of files are in memory several times. More bytes could exhaust the memory. */
const maxContent = 64 * 1024 * 1024;

/** Adds the bytes of files. */
async function fill({ tenants, content }: Snapshot, store: FileStore): Promise<void> {
  const stored = tenants.flatMap(({ files }) => files.flatMap((file) => file.stored ?? []));
  if (stored.reduce((sum, { size }) => sum + size, 0) > maxContent) {
    throw new MockError(
      'conflict',
      'the uploaded files have more than 64 MiB together; take the snapshot without content',
    );
  }
  // Loaded only here, because few mocks take a snapshot.
  const { strFromU8 } = await import('fflate');
  for (const { blob, size } of stored) {
    const bytes = await bytesOf(store.read(blob) ?? []);
    if (bytes.length !== size)
      throw new MockError('conflict', 'an uploaded file was replaced while the snapshot was taken; take it again');
    content[blob] = btoa(strFromU8(bytes, true));
  }
}
