import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { maxDuration } from '../clock.ts';
import { seedFromDocument } from '../seed/seed-from-document.ts';
import type { FileStore } from '../storage/file-store.ts';
import { indexRecords, type LabelHolder, linkKey, type Records } from '../store/records.ts';
import type { Origin, Tenancy } from '../store/tenancy.ts';
import type { SiteFile, StoredBytes } from '../store/tenant.ts';
import type { Snapshot, SnapshotFile, SnapshotTenant } from './snapshot.ts';
import { parseSnapshot } from './snapshot-schema.ts';
import type { MockState } from './take-snapshot.ts';

/** The state of a tenant after the restore. All its references were checked. */
interface Plan {
  readonly name: string;
  readonly origin: Origin;
  /** The records, if a test has changed them. */
  readonly records: Records | null;
  readonly labels: readonly (readonly [LabelHolder, readonly string[]])[];
  readonly files: readonly SiteFile[];
  readonly keys: SnapshotTenant['keys'];
}

/**
 * Restores the state of a snapshot. If the snapshot has a mistake, nothing changes.
 * @param value the snapshot, not yet checked
 * @param where the name of the snapshot in errors
 * @returns the stored bytes that are no longer used
 * @throws ConfigurationError with every problem and its place
 */
export async function restoreSnapshot(value: unknown, where: string, state: MockState): Promise<StoredBytes[]> {
  const snapshot = parseSnapshot(value, where);
  const problems: string[] = [];
  const report = (problem: string) => problems.push(`${where}: ${problem}`);
  const contents = decode(snapshot, state.store, report);
  const plans: Plan[] = [];
  for (const [index, tenant] of snapshot.tenants.entries()) {
    const place = `tenants[${index}]`;
    const origin = await originOf(tenant, place, state.tenancy, report);
    const records = tenant.records ? await checked(tenant.records, `${place}.records`, report) : null;
    if (origin !== undefined && records !== undefined)
      plans.push(plan(tenant, origin, records, place, contents, report));
  }
  checkUnique(snapshot, report);
  if (problems.length > 0) throw new ConfigurationError(problems);
  await writeAll(contents, state.store);
  return apply(snapshot, plans, state);
}

/** This step neither fails nor waits, so that no request sees a half-restored state. */
function apply(
  { clock: { offset, frozenAt }, removed }: Snapshot,
  plans: readonly Plan[],
  state: MockState,
): StoredBytes[] {
  const { clock, keys, tenancy } = state;
  const old = tenancy.clear();
  for (const { name, origin, records, labels, files, keys: stored } of plans) {
    const tenant = tenancy.create(name, { ...origin, keys: [] });
    if (records !== null) tenant.replaceRecords(records);
    tenancy.remember(name, origin);
    for (const [holder, carried] of labels) tenant.setLabels(holder, carried);
    for (const file of files) tenant.files.set(file.fileKey, file);
    for (const key of stored) keys.put(name, key);
  }
  for (const name of tenancy.seeds()) {
    if (!tenancy.tenants.has(name) && !removed.includes(name)) tenancy.reset(name);
  }
  clock.reset();
  if (frozenAt !== null) clock.freeze(frozenAt);
  else for (let left = offset; left > 0; left -= maxDuration) clock.advance(Math.min(left, maxDuration));
  const kept = new Set(plans.flatMap(({ files }) => files.map(({ stored }) => stored?.blob)));
  return old.filter(({ blob }) => !kept.has(blob));
}

type Report = (problem: string) => void;
type Contents = Map<SnapshotFile, { readonly blob: string; readonly bytes: Uint8Array<ArrayBuffer> }>;

/** The bytes in the snapshot, with new names, so that the current bytes stay unchanged until everything is checked. */
function decode(snapshot: Snapshot, store: FileStore, report: Report): Contents {
  const contents: Contents = new Map();
  snapshot.tenants.forEach(({ files }, t) => {
    files.forEach((file, f) => {
      const { stored } = file;
      if (stored === null) return;
      const place = `tenants[${t}].files[${f}].stored`;
      if (stored.content === null) {
        if (!store.has(stored.blob))
          report(`${place}: the bytes are neither in the snapshot nor in the mock's file store`);
        return;
      }
      const binary = atob(stored.content);
      const bytes = new Uint8Array(binary.length);
      for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
      if (bytes.length !== stored.size || `"${bytesToHex(md5(bytes))}"` !== stored.etag) {
        report(`${place}.content: the bytes do not match \`size\` and \`md5\` of this file`);
      }
      contents.set(file, { blob: crypto.randomUUID(), bytes });
    });
  });
  return contents;
}

async function writeAll(contents: Contents, store: FileStore): Promise<void> {
  try {
    for (const { blob, bytes } of contents.values()) await store.write(blob, new Blob([bytes]).stream());
  } catch (error) {
    for (const { blob } of contents.values()) await store.remove(blob);
    throw error;
  }
}

async function originOf({ name, clone }: SnapshotTenant, place: string, tenancy: Tenancy, report: Report) {
  if (clone === null) {
    const origin = tenancy.originOf(name);
    if (origin?.from === null) return origin;
    report(`${place}.name: this mock has no seed of a tenant ${name}; start it with the fixtures of the snapshot`);
    return undefined;
  }
  const records = await checked(clone.seed, `${place}.clone.seed`, report);
  return records && ({ from: clone.from, keys: clone.keys, records } satisfies Origin);
}

/** Checks records as in a fixture file. Undefined if there is a problem. */
async function checked(records: unknown, place: string, report: Report): Promise<Records | undefined> {
  try {
    return indexRecords(await seedFromDocument(records, place));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    error.problems.forEach(report);
    return undefined;
  }
}

function plan(
  { name, labels, files, keys }: SnapshotTenant,
  origin: Origin,
  edited: Records | null,
  place: string,
  contents: Contents,
  report: Report,
): Plan {
  const records = edited ?? origin.records;
  const found: [LabelHolder, readonly string[]][] = [];
  for (const { holder, carried, at } of holdersOf(labels, records)) {
    if (holder === undefined) report(`${place}.labels.${at}: tenant ${name} has no such record`);
    else found.push([holder, carried]);
    for (const id of carried) {
      if (!records.labels.has(id)) report(`${place}.labels.${at}: tenant ${name} has no label ${id}`);
    }
  }
  files.forEach(({ site }, index) => {
    if (!records.sites.has(site)) report(`${place}.files[${index}].site: tenant ${name} has no site ${site}`);
  });
  const restored = files.map((file) => siteFile(file, contents.get(file)?.blob));
  return { name, origin, records: edited, keys, labels: found, files: restored };
}

const siteFile = ({ stored, registered, ...file }: SnapshotFile, blob: string | undefined): SiteFile => ({
  ...file,
  stored: stored && { size: stored.size, etag: stored.etag, at: stored.at, blob: blob ?? stored.blob },
  registered: registered && { ...registered, name: registered.name },
});

function* holdersOf({ conversations, sites, links }: SnapshotTenant['labels'], records: Records) {
  for (const [id, carried] of Object.entries(conversations)) {
    yield { holder: records.conversations.get(id), carried, at: `conversations["${id}"]` };
  }
  for (const [id, carried] of Object.entries(sites))
    yield { holder: records.sites.get(id), carried, at: `sites["${id}"]` };
  for (const [index, { client, site, labels }] of links.entries()) {
    yield { holder: records.links.get(linkKey(client, site)), carried: labels, at: `links[${index}]` };
  }
}

/** Checks names, ids and secrets that must be unique in a snapshot. */
function checkUnique({ tenants }: Snapshot, report: Report): void {
  const seen = new Set<string>();
  const claim = (value: string, problem: string) => {
    if (seen.has(value)) report(problem);
    seen.add(value);
  };
  tenants.forEach(({ name, keys, files }, t) => {
    claim(`tenant ${name}`, `tenants[${t}].name: another tenant has this name`);
    keys.forEach(({ id, hash }, k) => {
      claim(`id ${id}`, `tenants[${t}].keys[${k}].id: another key has this id`);
      claim(`hash ${hash}`, `tenants[${t}].keys[${k}].hash: another key has this secret`);
    });
    files.forEach(({ fileKey }, f) => {
      claim(`file ${fileKey}`, `tenants[${t}].files[${f}].fileKey: another file has this key`);
    });
  });
}
