import { operations as contract, type OperationId } from '../spec/operations.ts';
import { createRouter } from '../spec/routes.ts';
import { type Clock, createClock } from './clock.ts';
import { createBucket, defaultRateLimit, type Limiter, type RateLimit } from './gateway/bucket.ts';
import { KeyRing } from './gateway/key-ring.ts';
import { createHandle, newTrace, type Trace } from './handle.ts';
import type { ApiReply, ApiRequest } from './message.ts';
import { errorReply, refusals } from './refusal.ts';
import type { TenantSeed } from './seed/schema.ts';
import { defaultFiles } from './storage/default-files.ts';
import type { FileStore } from './storage/file-store.ts';
import { createStorageTarget, storagePath } from './storage/target.ts';
import { indexRecords } from './store/records.ts';
import { Tenant } from './store/tenant.ts';

export interface MockOptions {
  /** The tenants; the packaged acme, globex and initech where not given. */
  readonly seeds?: readonly TenantSeed[];
  /** The limit of keys that have none of their own; false means no key has any. */
  readonly rateLimit?: Partial<RateLimit> | false;
  /** Scheme and authority that upload URLs start with, where clients do not reach the mock under its own name. */
  readonly publicUrl?: string;
  /** Largest request body in bytes: 10 MiB by default. */
  readonly bodyLimit?: number;
  readonly clock?: Clock;
  readonly files?: FileStore;
  /** What judges a key's rate, where a continuous bucket is not what is wanted. */
  readonly createLimiter?: (limit: RateLimit) => Limiter;
  /** Told of errors that are the mock's own; they go to the console by default. */
  readonly onError?: (error: unknown) => void;
}

/** A running mock, without any transport: adapters bring requests to it. */
export interface Mock {
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly tenants: ReadonlyMap<string, Tenant>;
  readonly files: FileStore;
  /** One request to the API or the storage target, one reply. Never throws. */
  handle(request: ApiRequest, trace?: Trace): ApiReply | Promise<ApiReply>;
  /** Forgets uploaded bytes. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** 10MB in the specification; which of its two meanings is not shown (decision: 10 * 1024 * 1024). */
export const defaultBodyLimit = 10 * 1024 * 1024;

const unlimited: RateLimit = { perSecond: Number.POSITIVE_INFINITY, burst: Number.POSITIVE_INFINITY };

const withDefaults = ({ perSecond, burst }: Partial<RateLimit> = {}): RateLimit => ({
  perSecond: perSecond ?? defaultRateLimit.perSecond,
  burst: burst ?? defaultRateLimit.burst,
});

/** A mock of the whole partner API over the given tenants; nothing is shared between two of them. */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  const seeds = options.seeds ?? (await import('./seed/generated/tenants.ts')).defaultSeeds;
  const { clock = createClock(), files = defaultFiles(), publicUrl, onError = console.error } = options;
  const limited = options.rateLimit !== false;
  const rateLimit = options.rateLimit === false ? unlimited : withDefaults(options.rateLimit);

  const keys = new KeyRing(rateLimit, options.createLimiter ?? createBucket);
  const tenants = new Map<string, Tenant>();
  for (const seed of seeds) {
    tenants.set(seed.tenant, new Tenant(seed.tenant, indexRecords(seed)));
    for (const key of seed.keys) {
      keys.add({
        ...key,
        id: crypto.randomUUID(),
        tenant: seed.tenant,
        rateLimit: limited ? key.rateLimit : undefined,
        createdAt: clock.now(),
      });
    }
  }

  const tenant = (name: string) => tenants.get(name);
  const credentials = { accessKeyId: 'PARTNERKITMOCK', secretAccessKey: crypto.randomUUID() };
  const storage = createStorageTarget({
    tenant,
    files,
    credentials,
    publicHost: publicUrl === undefined ? undefined : new URL(publicUrl).host,
    now: clock.now,
    onError,
  });
  const judge = createHandle({
    keys,
    tenant,
    now: clock.now,
    newId: () => crypto.randomUUID(),
    router: createRouter(Object.values(contract)),
    contract: contract satisfies Readonly<Record<OperationId, unknown>>,
    bodyLimit: options.bodyLimit ?? defaultBodyLimit,
    presign: (file, owner, origin) => storage.presign(file, owner, publicUrl ?? origin),
    refusalReply: (refusal) => {
      const { status, code } = refusals[refusal.case];
      return errorReply(status, code, refusal.message, refusal.headers);
    },
    onError,
  });

  return {
    clock,
    keys,
    tenants,
    files,
    handle: (request, trace = newTrace()) =>
      request.url.startsWith(storagePath) ? storage.handle(request) : judge(request, trace),
    close: () => files.close(),
    [Symbol.asyncDispose]: () => files.close(),
  };
}
