import type { Profile } from '../spec/files/profile-schema.ts';
import { seededRandom } from '../spec/random.ts';
import { checkArguments } from './arguments/check-arguments.ts';
import { mockOptions } from './arguments/shapes.ts';
import { type Clock, createClock } from './clock.ts';
import { preflightReply, withCors } from './cors.ts';
import { Faults } from './faults/faults.ts';
import { type Latency, latencySampler } from './faults/latency.ts';
import { createHandle } from './handle.ts';
import { Journal, type JournalOptions } from './journal/journal.ts';
import { defaultRateLimit, type Limiter, type RateLimit } from './keys/bucket.ts';
import { type ApiKey, KeyRing } from './keys/key-ring.ts';
import { newSecret } from './keys/new-secret.ts';
import { type KeyEdit, type KeyRef, type NewKeyOptions, Portal, type RevealedKey } from './keys/portal.ts';
import type { ApiReply, ApiRequest } from './message.ts';
import { isPartnerPath } from './partner-path.ts';
import { behaviourOf } from './profile/behaviour.ts';
import type { LabelSeed, TenantSeed } from './seed/schema.ts';
import type { Snapshot, SnapshotOptions } from './snapshot/snapshot.ts';
import { takeSnapshot, withContent } from './snapshot/take-snapshot.ts';
import { boundedFiles } from './storage/bounded-files.ts';
import { defaultFiles } from './storage/default-files.ts';
import type { FileStore } from './storage/file-store.ts';
import { heldFiles } from './storage/held-files.ts';
import { type MockFiles, mockFiles } from './storage/mock-files.ts';
import { createStorageTarget, storagePath } from './storage/target.ts';
import { type HolderRef, holderAt, labelAt } from './store/label-holder.ts';
import type { LabelHolder } from './store/records.ts';
import { type ClonedTenant, Tenancy } from './store/tenancy.ts';
import type { StoredBytes, Tenant } from './store/tenant.ts';
import { newTrace, type Trace } from './trace.ts';

/** How a mock is to be. Everything has a default. */
export interface MockOptions {
  /** The tenants; the packaged acme, globex and initech where not given. */
  readonly seeds?: readonly TenantSeed[];
  /** The limit of keys that have none of their own; false means no key has any. */
  readonly rateLimit?: Partial<RateLimit> | false;
  /**
   * What a deployment does where the specification is silent: paths, statuses, codes, shapes, how the limits are read.
   * `createMock` refuses one that would break what the specification demands with a ConfigurationError.
   */
  readonly profile?: Profile;
  /** The address that upload URLs start with, where clients do not reach the mock under its own name. */
  readonly publicUrl?: string;
  /** Largest request body in bytes: as the profile has it, else 10 MiB. */
  readonly bodyLimit?: number;
  readonly clock?: Clock;
  readonly files?: FileStore;
  /** How many bytes all uploaded files may take together: 1 GB by default. A PUT beyond is refused with 507. */
  readonly storageLimit?: number;
  /** What signs upload URLs: another secret for each mock, unless its URLs are to outlive it. */
  readonly uploadSecret?: string;
  /** How much the journal keeps; false keeps nothing. */
  readonly journal?: JournalOptions | false;
  /** Holds every reply back, in real time. */
  readonly latency?: Latency;
  /** What judges a key's rate, where a continuous bucket is not what is wanted. */
  readonly createLimiter?: (limit: RateLimit) => Limiter;
  /** Told of errors that are the mock's own; they go to the console by default. */
  readonly onError?: (error: unknown) => void;
}

/**
 * A running mock, without any transport: adapters bring requests to it. What is asked of it beside requests and cannot be
 * done is a `MockError`, and changes nothing.
 */
export interface Mock {
  readonly clock: Clock;
  /** What it does where the specification is silent; undefined where that is as decisions.md has it. */
  readonly profile: Profile | undefined;
  /** @internal */
  readonly keys: KeyRing;
  /** @internal */
  readonly tenants: ReadonlyMap<string, Tenant>;
  /**
   * @throws MockError `missing`, naming the tenants there are.
   * @internal
   */
  tenant(name: string): Tenant;
  /** What was uploaded: metadata and bytes. */
  readonly files: MockFiles;
  /** The last exchanges, API keys and signatures taken out. */
  readonly journal: Journal;
  /** Faults to be injected. */
  readonly faults: Faults;
  /** One request to the API or the storage target, one reply. Never throws. */
  handle(request: ApiRequest, trace?: Trace): ApiReply | Promise<ApiReply>;

  /** One tenant as its seed has it (labels, files, keys, buckets), or the whole mock as it was at first: clones, faults, journal and clock too. */
  reset(tenant?: string): void;
  /** Replaces the seeds; a tenant whose seed is the same keeps its state, and so do clones. */
  reseed(seeds: readonly TenantSeed[]): void;
  /** The whole state as JSON, the bytes of files included unless `content` is false. */
  snapshot(options?: SnapshotOptions): Promise<Snapshot>;
  /** Puts the mock into the state of a snapshot, or changes nothing. @throws ConfigurationError with every problem. */
  restore(snapshot: unknown, where?: string): Promise<void>;

  /** A copy of a tenant as its seed has it, with fresh ids and keys; its secrets are in this reply only. */
  createTenant(options: { readonly from: string; readonly name?: string | undefined }): ClonedTenant;
  /** Removes a tenant with its keys, files and faults, and its exchanges in the journal. One of a seed comes back with `reset()`. */
  removeTenant(name: string): void;
  /** Secrets of fixture files, which are documented fakes; undefined for every other key. */
  documentedSecretOf(key: ApiKey): string | undefined;

  /** The keys of a tenant, revoked ones too. */
  keysOf(tenant: string): ApiKey[];
  findKey(key: KeyRef): ApiKey;
  createKey(tenant: string, key: NewKeyOptions): RevealedKey;
  regenerateKey(key: KeyRef): RevealedKey;
  revokeKey(key: KeyRef): ApiKey;
  editKey(key: KeyRef, edit: KeyEdit): ApiKey;

  /** All labels of a holder, private ones too, by name. */
  labelsOf(tenant: string, holder: HolderRef): LabelSeed[];
  /** Puts a label (by id or name) on as the product would: a private one too. @returns all labels it carries now. */
  applyLabel(tenant: string, holder: HolderRef, label: string): LabelSeed[];
  removeLabel(tenant: string, holder: HolderRef, label: string): LabelSeed[];

  /** Forgets uploaded bytes. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** 10MB in the specification; which of its two meanings is not shown (decision: 10 * 1024 * 1024). */
export const defaultBodyLimit = 10 * 1024 * 1024;

/** A page in somebody's browser can send uploads, too: it must not fill the disk. */
const defaultStorageLimit = 1_000_000_000;

/** How often uploads that were given up are looked for, in ms of the clock. */
const lookForAbandoned = 3_600_000;

const unlimited: RateLimit = { perSecond: Number.POSITIVE_INFINITY, burst: Number.POSITIVE_INFINITY };

const withDefaults = ({ perSecond, burst }: Partial<RateLimit> = {}): RateLimit => ({
  perSecond: perSecond ?? defaultRateLimit.perSecond,
  burst: burst ?? defaultRateLimit.burst,
});

/** A mock of the whole partner API over the given tenants; nothing is shared between two of them. */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  checkArguments(options, mockOptions);
  const seeds = options.seeds ?? (await import('./seed/generated/tenants.ts')).defaultSeeds;
  const { clock = createClock(), files = defaultFiles(), publicUrl, onError = console.error } = options;
  const store = heldFiles(boundedFiles(files, options.storageLimit ?? defaultStorageLimit));
  const limited = options.rateLimit !== false;
  const rateLimit = options.rateLimit === false ? unlimited : withDefaults(options.rateLimit);

  const behaviour = behaviourOf(options.profile, options.createLimiter);
  const faults = new Faults({ now: clock.now, isTenant: (name) => tenancy.tenants.has(name) });
  const delay = options.latency === undefined ? undefined : latencySampler(options.latency, seededRandom(1));
  const keys = new KeyRing(rateLimit, behaviour.createLimiter);
  const journal = new Journal(options.journal === false ? { entries: 0 } : options.journal, keys.secrets);
  const discard = (bytes: readonly StoredBytes[]) => {
    for (const { blob } of bytes) store.remove(blob).catch(onError);
  };
  const tenancy = new Tenancy(seeds, { keys, limited, now: clock.now, discard });
  const portal = new Portal(keys, (name) => tenancy.get(name), clock.now);

  const tenant = (name: string) => tenancy.tenants.get(name);
  const fault = (request: ApiRequest, trace: Trace) => faults.strike(request, trace);
  const credentials = { accessKeyId: 'PARTNERKITMOCK', secretAccessKey: options.uploadSecret ?? newSecret() };
  const storage = createStorageTarget({
    tenant,
    files: store,
    fault,
    credentials,
    publicUrl,
    putStatus: behaviour.putStatus,
    now: clock.now,
    onError,
  });
  let lookedAt = clock.now();
  const presign: typeof storage.presign = (...about) => {
    const now = clock.now();
    if (Math.abs(now - lookedAt) >= lookForAbandoned) {
      lookedAt = now;
      tenancy.forgetAbandoned(now);
    }
    return storage.presign(...about);
  };
  const judge = createHandle({
    keys,
    tenants: tenancy.tenants,
    now: clock.now,
    newId: () => crypto.randomUUID(),
    behaviour,
    bodyLimit: options.bodyLimit ?? behaviour.bodyLimit ?? defaultBodyLimit,
    presign,
    fault,
    onError,
  });

  const labels = (name: string, ref: HolderRef, change?: (owner: Tenant, holder: LabelHolder) => void) => {
    const owner = tenancy.get(name);
    const holder = holderAt(owner, ref);
    change?.(owner, holder);
    const carried = [...owner.labelsOf(holder)].flatMap((id) => owner.records.labels.get(id) ?? []);
    return carried.sort((a, b) => (a.name < b.name ? -1 : 1));
  };

  const finish = (request: ApiRequest, reply: ApiReply, trace: Trace, at: number, startedAt: number): ApiReply => {
    let sent = trace.fault === null ? reply : trace.fault.damage(reply);
    if (delay !== undefined) sent = { ...sent, delay: (sent.delay ?? 0) + delay() };
    if (request.headers.origin !== undefined && isPartnerPath(request.url)) sent = withCors(sent, request);
    if (journal.active) journal.record(request, sent, trace, at, performance.now() - startedAt);
    return sent;
  };

  return {
    clock,
    profile: options.profile,
    keys,
    tenants: tenancy.tenants,
    tenant: (name) => tenancy.get(name),
    files: mockFiles(tenancy, store, clock.now),
    journal,
    faults,
    handle(request, trace = newTrace()) {
      if (request.method === 'OPTIONS') {
        const preflight = isPartnerPath(request.url) ? preflightReply(request) : null;
        if (preflight !== null) return preflight;
      }
      const startedAt = performance.now();
      const at = clock.now();
      const reply = request.url.startsWith(storagePath) ? storage.handle(request, trace) : judge(request, trace);
      return reply instanceof Promise
        ? reply.then((settled) => finish(request, settled, trace, at, startedAt))
        : finish(request, reply, trace, at, startedAt);
    },
    reset(name) {
      tenancy.reset(name);
      faults.clear(name);
      if (name !== undefined) return;
      journal.clear();
      clock.reset();
    },
    reseed: (next) => tenancy.reseed(next),
    // Held, because the bytes of a file may be replaced before it is their turn to be read.
    snapshot: ({ content = true } = {}) =>
      store.holding(async () => {
        tenancy.forgetAbandoned(clock.now());
        const taken = takeSnapshot({ clock, tenancy, keys });
        return content ? withContent(taken, store) : taken;
      }),
    async restore(snapshot, where = 'snapshot') {
      // Loaded when needed: it brings the schemas, which no request needs.
      const { restoreSnapshot } = await import('./snapshot/restore-snapshot.ts');
      discard(await restoreSnapshot(snapshot, where, { clock, tenancy, keys, store }));
    },
    createTenant: ({ from, name }) => tenancy.clone(from, name),
    removeTenant(name) {
      tenancy.remove(name);
      faults.clear(name);
      journal.forget(name);
    },
    documentedSecretOf: (key) => tenancy.documentedSecret(key.hash),
    keysOf: (owner) => keys.list(tenancy.get(owner).name),
    findKey: (key) => portal.find(key),
    createKey: (owner, key) => portal.create(owner, key),
    regenerateKey: (key) => portal.regenerate(key),
    revokeKey: (key) => portal.revoke(key),
    editKey: (key, edit) => portal.edit(key, edit),
    labelsOf: (owner, holder) => labels(owner, holder),
    applyLabel: (name, ref, label) =>
      labels(name, ref, (owner, holder) => owner.applyLabel(holder, labelAt(owner, label))),
    removeLabel: (name, ref, label) =>
      labels(name, ref, (owner, holder) => owner.removeLabel(holder, labelAt(owner, label))),
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store.close(),
  };
}
