import { strToU8 } from 'fflate';
import { strictObject, z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { listOf } from '../../spec/files/list-of.ts';
import { parsed } from '../../spec/files/shape-problems.ts';
import { latestInstant, maxDuration } from '../clock.ts';
import { storedKey } from '../keys/stored-key.ts';
import { wholeBody } from '../message.ts';
import type { Parts } from '../parts.ts';
import { type TenantSeed, tenantSeed } from '../seed/schema.ts';
import { seedFromDocument } from '../seed/seed-from-document.ts';
import type { FileStore } from '../storage/files.ts';
import { type HolderRef, holderOf, indexRecords, type Records } from '../store/records.ts';
import { type StoredBytes, siteFile } from '../store/site-file.ts';
import { Tenant } from '../store/tenant.ts';
import type { Tenants } from '../store/tenants.ts';

const name = z.string().min(1);
const labels = listOf(name.toLowerCase());
/** `seedFromDocument` checks the records of a tenant, record by record. */
const records = z.custom<TenantSeed>();

/** The changes of one tenant since its seed. */
const tenant = strictObject({
  name: tenantSeed.shape.tenant,
  /** For a copied tenant: its original, and its first state. */
  clone: strictObject({ from: name, seed: records, keys: listOf(storedKey) }).nullable(),
  /** The records, without keys, if a test has changed them. */
  records: records.nullable(),
  /** All labels, with private ones, of the records whose labels were changed. */
  labels: listOf(
    strictObject({ conversation: name.optional(), client: name.optional(), site: name.optional(), labels }),
  ),
  files: listOf(siteFile),
  keys: listOf(storedKey),
});

const snapshotSchema = strictObject({
  version: z.literal(1, 'must be 1, the only version that this mock reads'),
  /** ISO date-time by the mock's clock. */
  takenAt: z.string(),
  /** How many milliseconds the clock was ahead of real time, and the time at which it was frozen, if it was. */
  clock: strictObject({
    // With this limit no reply needs a date after the year 9999 for the next two centuries.
    offset: z
      .number()
      .min(0)
      .max(7_800 * 365 * 86_400_000),
    frozenAt: z.number().min(0).max(latestInstant).nullable(),
  }),
  tenants: listOf(tenant),
  /** The bytes of files, by `blob`. Those of others are only in the mock's file store. */
  content: z.record(z.string(), z.base64('must be Base64')),
  /** Removed tenants of seeds. A seed in neither list is new and gets its first state. */
  removed: listOf(name),
});

/** The whole state of a mock without its seeds, as JSON. Buckets, faults and the journal are not included. */
export type Snapshot = z.infer<typeof snapshotSchema>;
export type SnapshotTenant = z.infer<typeof tenant>;

type Report = (problem: string) => unknown;

/**
 * Restores the state of a snapshot. If the snapshot has a mistake, nothing changes.
 * @param value the snapshot, not yet checked
 * @param where the name of the snapshot in errors
 * @returns the stored bytes that are no longer used
 * @throws ConfigurationError with every problem and its place
 */
export async function restoreSnapshot(
  value: unknown,
  where: string,
  { clock, tenants, store }: Parts,
): Promise<StoredBytes[]> {
  const snapshot = parsed(snapshotSchema, value, where);
  const problems: string[] = [];
  const restored: { readonly tenant: Tenant; readonly keys: SnapshotTenant['keys'] }[] = [];
  const contents = new Map<StoredBytes, Uint8Array<ArrayBuffer>>();
  for (const [index, saved] of snapshot.tenants.entries()) {
    const report: Report = (problem) => problems.push(`${where}: tenants[${index}].${problem}`);
    const tenant = await tenantOf(saved, tenants, report);
    for (const [at, { site, stored }] of saved.files.entries()) {
      const reportFile: Report = (problem) => report(`files[${at}].${problem}`);
      if (tenant?.records.sites.has(site) === false) reportFile(`site: tenant ${tenant.name} has no site ${site}`);
      const bytes = stored && contentOf(stored, snapshot.content, store, reportFile);
      if (stored && bytes) contents.set(stored, bytes);
    }
    if (tenant !== undefined) restored.push({ tenant, keys: saved.keys });
  }
  const seen = new Set<string>();
  for (const one of uniqueIn(snapshot))
    if (seen.size === seen.add(one).size) problems.push(`${where}: ${one} is there twice`);
  if (problems.length > 0) throw new ConfigurationError(problems);

  await writeAll(contents, store);
  // From here on nothing fails or waits, so that no request sees a half-restored state.
  const old = tenants.replace(restored, snapshot.removed);
  const { offset, frozenAt } = snapshot.clock;
  clock.reset();
  if (frozenAt !== null) clock.freeze(frozenAt);
  else for (let left = offset; left > 0; left -= maxDuration) clock.advance(Math.min(left, maxDuration));
  const used = new Set(snapshot.tenants.flatMap(({ files }) => files.map(({ stored }) => stored?.blob)));
  return old.filter(({ blob }) => !used.has(blob));
}

/** The tenant with its records, labels and files. Undefined if they cannot be made. */
async function tenantOf({ name, clone, records, labels, files }: SnapshotTenant, tenants: Tenants, report: Report) {
  const first = clone && (await indexed(clone.seed, 'clone.seed', report));
  const edited = records && (await indexed(records, 'records', report));
  const origin = clone === null ? tenants.seeded(name) : first && { ...clone, records: first };
  if (clone === null && origin === undefined)
    report(`name: this mock has no seed of a tenant ${name}; start it with the fixtures of the snapshot`);
  if (origin === undefined || origin === null || edited === undefined) return undefined;
  const tenant = new Tenant(name, origin);
  if (edited !== null) tenant.show(edited);
  for (const file of files) tenant.files.set(file.fileKey, file);
  for (const [at, { labels: ids, ...ref }] of labels.entries()) {
    const holder = holderOf(tenant.records, ref as HolderRef);
    if (holder === undefined) report(`labels[${at}]: tenant ${name} has no such record`);
    else tenant.setLabels(holder, ids);
    for (const id of ids)
      if (!tenant.records.labels.has(id)) report(`labels[${at}]: tenant ${name} has no label ${id}`);
  }
  return tenant;
}

/** Checks records as in a fixture file. Undefined if there is a problem. */
async function indexed(records: unknown, place: string, report: Report): Promise<Records | undefined> {
  try {
    return indexRecords(await seedFromDocument(records, place));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    error.problems.forEach(report);
    return undefined;
  }
}

/** The bytes in the snapshot; null if they are in the file store. */
function contentOf({ blob }: StoredBytes, content: Snapshot['content'], store: FileStore, report: Report) {
  const text = Object.hasOwn(content, blob) ? content[blob] : undefined;
  if (text === undefined) {
    if (!store.has(blob)) report("stored: the bytes are neither in the snapshot nor in the mock's file store");
    return null;
  }
  return strToU8(atob(text), true);
}

/** Gives the bytes new names, so that the current ones stay as they are if one cannot be written. */
async function writeAll(contents: ReadonlyMap<StoredBytes, Uint8Array<ArrayBuffer>>, store: FileStore) {
  for (const [stored, bytes] of contents) {
    stored.blob = crypto.randomUUID();
    await store.write(stored.blob, wholeBody(bytes));
  }
}

/** Names, ids and secrets that may be in a snapshot once. */
function* uniqueIn({ tenants }: Snapshot): Generator<string> {
  for (const { name, keys, files } of tenants) {
    yield `the tenant ${name}`;
    for (const { id, hash } of keys) yield* [`the id ${id}`, `the secret of the hash ${hash}`];
    for (const { fileKey } of files) yield `the fileKey ${fileKey}`;
  }
}
