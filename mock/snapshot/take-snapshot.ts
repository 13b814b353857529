import type { Clock } from '../clock.ts';
import { type KeyRing, storedKey } from '../keys/key-ring.ts';
import { MockError } from '../mock-error.ts';
import type { FileStore } from '../storage/file-store.ts';
import { linkKey } from '../store/records.ts';
import type { Tenancy } from '../store/tenancy.ts';
import type { SiteFile, Tenant } from '../store/tenant.ts';
import { type Snapshot, type SnapshotFile, type SnapshotTenant, snapshotVersion } from './snapshot.ts';

/** While a snapshot is taken, the bytes of files are in memory several times. More bytes could exhaust the memory. */
const maxContent = 64 * 1024 * 1024;

/** The parts of a mock that a snapshot is taken from and restored to. */
export interface MockState {
  readonly clock: Clock;
  readonly tenancy: Tenancy;
  readonly keys: KeyRing;
  readonly store: FileStore;
}

/** The current state of a mock, without the bytes of files. */
export function takeSnapshot({ clock, tenancy, keys }: Omit<MockState, 'store'>): Snapshot {
  return {
    version: snapshotVersion,
    takenAt: new Date(clock.now()).toISOString(),
    clock: clock.frozen ? { offset: 0, frozenAt: clock.now() } : { offset: clock.offset, frozenAt: null },
    tenants: [...tenancy.tenants.values()].map((tenant) => ({
      name: tenant.name,
      clone: cloneOf(tenant, tenancy),
      records: tenant.edited && { ...tenant.edited, keys: [] },
      labels: labelsOf(tenant),
      files: [...tenant.files.values()].map(withoutContent),
      keys: keys.list(tenant.name).map(storedKey),
    })),
    removed: tenancy.seeds().filter((name) => !tenancy.tenants.has(name)),
  };
}

/** Adds the bytes of files to a snapshot. @throws MockError if they are more than 64 MiB */
export async function withContent(snapshot: Snapshot, store: FileStore): Promise<Snapshot> {
  const sizes = snapshot.tenants.flatMap(({ files }) => files.map(({ stored }) => stored?.size ?? 0));
  if (sizes.reduce((sum, size) => sum + size, 0) > maxContent) {
    throw new MockError(
      'conflict',
      'the uploaded files have more than 64 MiB together; take the snapshot without content',
    );
  }
  const tenants: SnapshotTenant[] = [];
  for (const tenant of snapshot.tenants) {
    const files: SnapshotFile[] = [];
    for (const file of tenant.files)
      files.push(file.stored === null ? file : { ...file, stored: await filled(file.stored, store) });
    tenants.push({ ...tenant, files });
  }
  return { ...snapshot, tenants };
}

async function filled(stored: NonNullable<SnapshotFile['stored']>, store: FileStore) {
  const texts: string[] = [];
  for await (const chunk of store.read(stored.blob) ?? []) {
    for (let at = 0; at < chunk.length; at += maxArguments) {
      texts.push(String.fromCharCode(...chunk.subarray(at, at + maxArguments)));
    }
  }
  return { ...stored, content: btoa(texts.join('')) };
}

/** Bytes are converted in blocks, because one at a time would take seconds. Some engines allow no more arguments than this. */
const maxArguments = 8_192;

const withoutContent = ({ stored, ...file }: SiteFile): SnapshotFile => ({
  ...file,
  stored: stored && { ...stored, content: null },
});

function cloneOf({ name }: Tenant, tenancy: Tenancy): SnapshotTenant['clone'] {
  const origin = tenancy.originOf(name);
  if (origin === undefined || origin.from === null) return null;
  return { from: origin.from, seed: origin.records.seed, keys: origin.keys };
}

/** In the order of ids, so that equal states make equal snapshots. */
function labelsOf(tenant: Tenant): SnapshotTenant['labels'] {
  const conversations: [string, string[]][] = [];
  const sites: [string, string[]][] = [];
  const links: SnapshotTenant['labels']['links'][number][] = [];
  for (const [holder, carried] of tenant.changedHolders()) {
    const labels = [...carried].sort();
    if ('client' in holder) links.push({ client: holder.client, site: holder.site, labels });
    else if (tenant.conversations.get(holder.id) === holder) conversations.push([holder.id, labels]);
    else sites.push([holder.id, labels]);
  }
  return {
    conversations: Object.fromEntries(conversations.sort()),
    sites: Object.fromEntries(sites.sort()),
    links: links.sort((a, b) => (linkKey(a.client, a.site) < linkKey(b.client, b.site) ? -1 : 1)),
  };
}
