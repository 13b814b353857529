import * as z from 'zod/mini';
import { strictObject } from 'zod/mini';
import type { Profile } from '../spec/files/profile-schema.ts';
import type { RuleId } from '../spec/rules.ts';
import { checkArguments, once, optional, values } from './arguments/shapes.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults/faults.ts';
import { createHandle } from './handle.ts';
import type { Journal } from './journal/journal.ts';
import type { Limiter, RateLimit } from './keys/bucket.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { ApiReply, ApiRequest } from './message.ts';
import { partsOf } from './parts.ts';
import type { PassthroughTarget } from './passthrough.ts';
import type { LabelSeed, TenantSeed } from './seed/schema.ts';
import type { Snapshot } from './snapshot/restore-snapshot.ts';
import { type SnapshotOptions, takeSnapshot } from './snapshot/take-snapshot.ts';
import { type FileStore, memoryFiles } from './storage/files.ts';
import { type MockFiles, mockFiles } from './storage/mock-files.ts';
import { createStorageTarget } from './storage/target.ts';
import type { HolderRef } from './store/records.ts';
import type { Tenant } from './store/tenant.ts';
import type { Tenants } from './store/tenants.ts';
import type { Trace } from './trace.ts';

const isWebAddress = (url: string) => /^https?:/.test(url) && URL.canParse(url);
const isSize = (value: unknown) => typeof value === 'number' && value >= 0;
/** An option of which only the type is said. */
const given = <T>() => optional(z.custom<T>());

const mockOptions = once(() => {
  const { text, latency, journalOptions } = values();
  const aboveZero = z.number().check(z.gt(0, 'must be a number above 0'));
  return strictObject({
    /** The tenants; by default the packaged acme, globex and initech. */
    seeds: given<readonly TenantSeed[]>(),
    /** The limit of keys that have none of their own. False means that no key has a limit. */
    rateLimit: optional(
      z.union(
        [z.literal(false), strictObject({ perSecond: optional(aboveZero), burst: optional(aboveZero) })],
        'must be false, or {perSecond, burst} with numbers above 0',
      ),
    ),
    /**
     * What a deployment does where the specification is silent: paths, statuses, codes, shapes, limits. A profile that
     * contradicts the specification is refused with a ConfigurationError.
     */
    profile: given<Profile>(),
    /** The address in upload URLs, if clients reach the mock under another one. Its path may be in front of all others. */
    publicUrl: optional(z.string().check(z.refine(isWebAddress, 'must be an http or https URL'))),
    /** The largest request body in bytes. By default the profile decides, or it is 10 MiB. */
    bodyLimit: optional(aboveZero),
    clock: given<Clock>(),
    /** Where uploads are kept: by default a temporary folder, or memory in a browser. */
    files: given<FileStore>(),
    /** How many bytes all uploaded files may have together: 1 GB by default. A PUT beyond it gets 507. */
    // No limit is Infinity, which is no number for zod.
    storageLimit: optional(z.custom<number>(isSize, 'must be a number of bytes')),
    /** The secret that signs upload URLs. By default a random one, so URLs do not work with another mock. */
    uploadSecret: optional(text),
    /** How much the journal keeps. False keeps nothing. */
    journal: optional(
      z.union([z.literal(false), journalOptions], 'must be false, or {entries, bytes, bodyBytes} with whole numbers'),
    ),
    /** Delays every reply, in real time. */
    latency: optional(latency),
    /** Creates the rate limiter of each key. By default a continuous token bucket. */
    createLimiter: given<(limit: RateLimit) => Limiter>(),
    /**
     * Sends requests about keys, operations and ids that the mock does not know to this deployment, with the key that the client sent: an address,
     * or a target file as it was read. What the mock's records or a fault answer never leaves it. Only in Node, and only on loopback.
     */
    passthrough: given<string | PassthroughTarget>(),
    /** What the mock does wrongly on purpose: `wrong('labels/set-dropped')` of `partnerkit/wrong`. */
    wrong: given<Wrong>(),
    /** Is called with internal errors of the mock. By default they go to `console.error`. */
    onError: given<(error: unknown) => void>(),
  });
});

/** Options of a mock. All have defaults. */
export type MockOptions = z.infer<ReturnType<typeof mockOptions>>;

/** A way to break the contract on purpose. */
export interface Wrong {
  readonly id: string;
  /** The rule that it breaks; undefined for an unusual way of keeping all. */
  readonly rule?: RuleId | undefined;
  /** What such a deployment does, in words. */
  readonly does: string;
  /** How likely a request meets it, and which do. Undefined for every request. */
  readonly chance?: number | undefined;
  readonly seed?: number | undefined;
  /** Creates the rate limiter of each key, in place of the right one. */
  readonly createLimiter?: MockOptions['createLimiter'];
  /** Wraps what answers requests, below faults, latency and journal. Called once, so that what it remembers is new. */
  readonly around: (scene: { readonly mock: Mock; readonly handle: Mock['handle'] }) => Mock['handle'];
}

/** The labels of records, as the product sees them: with private ones. A label is given by its id or name. */
export interface Labels {
  /** All labels of a record, sorted by name, like the results of the other two. */
  of(tenant: string, holder: HolderRef): LabelSeed[];
  apply(tenant: string, holder: HolderRef, label: string): LabelSeed[];
  remove(tenant: string, holder: HolderRef, label: string): LabelSeed[];
}

/**
 * A running mock, without any transport: adapters bring requests to it. Methods that cannot do what they were asked throw a
 * `MockError` and change nothing.
 */
export interface Mock {
  readonly clock: Clock;
  /** What the mock does wrongly on purpose. */
  readonly wrong: Wrong | undefined;
  /** Breaks one rule from now on, in place of the way before; undefined keeps all. Records stay, and buckets are new where a way is about them. */
  setWrong(wrong: Wrong | undefined): void;
  /** What the mock does where the specification is silent. Undefined for the defaults of spec/DECISIONS.md. */
  readonly profile: Profile | undefined;
  /** @internal */
  readonly publicUrl: string | undefined;
  /** The address of the deployment that answers what the mock does not know. */
  readonly passesTo: string | undefined;
  readonly keys: KeyRing;
  readonly tenants: Omit<Tenants, 'set' | 'delete' | 'clear'>;
  /**
   * The records of a tenant, which a test can change: `mock.tenant('acme').conversations.create({ ... })`.
   * @throws MockError `missing`, with the names of all tenants
   */
  tenant(name: string): Tenant;
  readonly labels: Labels;
  /** The uploaded files: metadata and bytes. */
  readonly files: MockFiles;
  /** The last exchanges, without API keys and signatures. */
  readonly journal: Journal;
  /** Faults to be injected. */
  readonly faults: Faults;
  /** Answers one request to the API or the storage target. Never throws. */
  handle(request: ApiRequest, trace?: Trace): Promise<ApiReply>;

  /**
   * Resets one tenant to its seed (labels, files, keys, buckets), or the whole mock, with copied tenants, faults, journal and clock, and with
   * the `wrong` that it was created with.
   */
  reset(tenant?: string): void;
  /** Replaces the seeds. Copied tenants, and tenants whose seed is the same, keep their state. */
  reseed(seeds: readonly TenantSeed[]): void;
  /** The whole state as JSON, with the bytes of files unless `content` is false. */
  snapshot(options?: SnapshotOptions): Promise<Snapshot>;
  /** Restores a snapshot. If it has a mistake, nothing changes. @throws ConfigurationError with every problem */
  restore(snapshot: unknown, where?: string): Promise<void>;
  /** Removes all uploaded bytes. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creates a mock of the whole partner API with the given tenants. Two mocks share nothing. */
export async function createMock(options: MockOptions = {}, newFiles = memoryFiles): Promise<Mock> {
  const isNone =
    typeof options === 'object' && options !== null && Object.values(options).every((one) => one === undefined);
  if (!isNone) checkArguments(options, mockOptions());
  const parts = partsOf(options, newFiles);
  const { clock, keys, tenants, faults, journal, store, behaviour, discard } = parts;
  const { right, served } = createHandle(parts, createStorageTarget(parts, options.uploadSecret));

  const labelsOf = (name: string, ref: HolderRef, label = '', change?: 'applyLabel' | 'removeLabel') => {
    const owner = tenants.existing(name);
    const holder = owner.holder(ref);
    if (change !== undefined) owner[change](holder, owner.label(label));
    return owner.allLabelsOf(holder);
  };

  let wrong: Wrong | undefined;
  let answer = served();
  const mock: Mock = {
    clock,
    get wrong() {
      return wrong;
    },
    setWrong(next) {
      const isAboutBuckets = (wrong?.createLimiter ?? next?.createLimiter) !== undefined;
      if (isAboutBuckets) keys.limitBy(behaviour.limiterOf(next?.createLimiter ?? options.createLimiter));
      wrong = next;
      answer = next === undefined ? served() : served(next.around({ mock, handle: right }));
    },
    profile: options.profile,
    publicUrl: options.publicUrl,
    passesTo: parts.deployment?.baseUrl,
    keys,
    tenants,
    tenant: (name) => tenants.existing(name),
    labels: {
      of: (tenant, holder) => labelsOf(tenant, holder),
      apply: (tenant, holder, label) => labelsOf(tenant, holder, label, 'applyLabel'),
      remove: (tenant, holder, label) => labelsOf(tenant, holder, label, 'removeLabel'),
    },
    files: mockFiles(parts),
    journal,
    faults,
    handle: (request, trace) => answer(request, trace),
    reset(name) {
      tenants.reset(name);
      faults.clear(name);
      if (name !== undefined) return;
      journal.clear();
      clock.reset();
      if (wrong !== options.wrong) mock.setWrong(options.wrong);
    },
    reseed: (next) => tenants.reseed(next),
    snapshot: (options) => takeSnapshot(parts, options),
    async restore(snapshot, where = 'snapshot') {
      // Loaded only here, because it loads the schemas, which no request needs.
      const { restoreSnapshot } = await import('./snapshot/restore-snapshot.ts');
      discard(await restoreSnapshot(snapshot, where, parts));
    },
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store.close(),
  };
  if (options.wrong !== undefined) mock.setWrong(options.wrong);
  return mock;
}
