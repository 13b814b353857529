import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Scope } from '../../spec/operations.ts';
import { createRedaction } from '../../spec/redaction/redaction.ts';
import { equalInConstantTime } from '../equal-in-constant-time.ts';
import { createBucket, type Limiter, type RateLimit } from './bucket.ts';
import { secretLength } from './new-secret.ts';
import { type RecordedLimiter, recorded } from './recorded-limiter.ts';

/** An API key without its secret, of which only the hash and the first eight characters are kept. */
export interface ApiKey {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  prefix: string;
  hash: string;
  scopes: ReadonlySet<Scope>;
  /** The key's own limit; undefined means the default of the mock. */
  rateLimit: RateLimit | undefined;
  revoked: boolean;
  /** Milliseconds since the epoch, like `lastUsedAt`. */
  createdAt: number;
  lastUsedAt: number | null;
  /** @internal */
  readonly bucket: RecordedLimiter;
}

interface NewKey {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly secret: string;
  readonly scopes: Iterable<Scope>;
  readonly rateLimit?: RateLimit | undefined;
  readonly revoked?: boolean | undefined;
  readonly createdAt: number;
}

/** How many replaced or removed secrets the journal still redacts. */
const maxRetired = 1_000;

/** A key in a snapshot: plain values, without the secret. */
export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  /** SHA-256 of the secret, in hex. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly rateLimit: RateLimit | null;
  readonly revoked: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** All keys of a mock. Of a secret only the SHA-256 is kept. */
export class KeyRing {
  readonly #byHash = new Map<string, ApiKey>();
  readonly #byId = new Map<string, ApiKey>();
  /** Redacts the secrets of all keys in a text. A secret is recognised by its first eight characters. */
  readonly secrets = createRedaction();
  /** Beginnings of replaced or removed secrets, oldest first. Clients may still send such a secret. */
  readonly #retired = new Set<string>();
  /** Hashes of secrets that fixture files document. */
  readonly #documented = new Map<string, string>();
  readonly #defaultLimit: RateLimit;
  readonly #createLimiter: (limit: RateLimit) => Limiter;

  /** @param createLimiter creates the rate limiter of a key; by default a continuous bucket */
  constructor(defaultLimit: RateLimit, createLimiter: (limit: RateLimit) => Limiter = createBucket) {
    this.#defaultLimit = defaultLimit;
    this.#createLimiter = createLimiter;
  }

  /** The key with this secret, even if it is revoked; undefined if there is none. */
  recognise(secret: string): ApiKey | undefined {
    const hash = this.#documented.get(secret) ?? hashOf(secret);
    const key = this.#byHash.get(hash);
    return key !== undefined && equalInConstantTime(key.hash, hash) ? key : undefined;
  }

  /** @throws RangeError if another key has this secret */
  add({ secret, tenant, ...from }: NewKey): ApiKey {
    const { rateLimit = null, revoked = false } = from;
    const stored = { ...from, rateLimit, revoked, ...sealed(secret), scopes: [...from.scopes], lastUsedAt: null };
    return this.put(tenant, stored);
  }

  /** Adds a key of which only the hash is known. @throws RangeError if another key has this secret */
  put(tenant: string, { scopes, rateLimit, ...stored }: StoredKey): ApiKey {
    if (this.#byHash.has(stored.hash)) {
      throw new RangeError(`key "${stored.name}" of ${tenant}: another key has this secret`);
    }
    const key: ApiKey = {
      ...stored,
      tenant,
      scopes: new Set(scopes),
      rateLimit: rateLimit ?? undefined,
      bucket: recorded(this.#createLimiter(rateLimit ?? this.#defaultLimit)),
    };
    this.#byHash.set(key.hash, key);
    this.#byId.set(key.id, key);
    this.#hide(key.prefix);
    return key;
  }

  /** Keeps the hash of a documented fake, so that requests with it need none: the first hash takes as long as the rest of a reply. */
  document(secret: string, hash: string): void {
    this.#documented.set(secret, hash);
  }

  get(id: string): ApiKey | undefined {
    return this.#byId.get(id);
  }

  /** The keys of one tenant, or of all, in the order in which they were added, with revoked keys. */
  list(tenant?: string): ApiKey[] {
    const keys = [...this.#byId.values()];
    return tenant === undefined ? keys : keys.filter((key) => key.tenant === tenant);
  }

  /** The key's own limit, or the default. */
  limitOf(key: ApiKey): RateLimit {
    return key.rateLimit ?? this.#defaultLimit;
  }

  /** Gives the key a new secret. The old one stops working at once. @throws RangeError if another key has the new secret */
  regenerate(key: ApiKey, secret: string): void {
    const hash = hashOf(secret);
    if (this.#byHash.has(hash)) throw new RangeError('another key has this secret');
    this.#byHash.delete(key.hash);
    this.#retire(key.prefix);
    Object.assign(key, sealed(secret));
    this.#byHash.set(hash, key);
    this.#hide(key.prefix);
  }

  /** Revokes a key for good. The key stays listed. */
  revoke(key: ApiKey): void {
    key.revoked = true;
  }

  /** Changes the key's own limit. Undefined sets the default. Used tokens stay used. */
  limit(key: ApiKey, rateLimit: RateLimit | undefined, now: number): void {
    key.rateLimit = rateLimit;
    key.bucket.limitTo(this.limitOf(key), now);
  }

  /** Removes all keys of a tenant. */
  removeTenant(tenant: string): void {
    for (const key of this.list(tenant)) {
      this.#byHash.delete(key.hash);
      this.#byId.delete(key.id);
      this.#retire(key.prefix);
    }
  }

  #hide(prefix: string): void {
    this.#retired.delete(prefix);
    this.secrets.addBeginning(prefix, secretLength, `${prefix}…`);
  }

  #retire(prefix: string): void {
    this.#retired.add(prefix);
    if (this.#retired.size <= maxRetired) return;
    const [oldest = ''] = this.#retired;
    this.#retired.delete(oldest);
    this.secrets.remove(oldest);
  }
}

/** A key as it is kept at rest. */
export function storedKey({ tenant: _, bucket: __, scopes, rateLimit, ...key }: ApiKey): StoredKey {
  return { ...key, scopes: [...scopes], rateLimit: rateLimit ?? null };
}

/** The beginning of a secret, which may be kept and shown. */
export const sealed = (secret: string, hash = hashOf(secret)) => ({ prefix: secret.slice(0, 8), hash });

/** How many hashes take less time than loading Node's own, which is then eight times as fast. */
const fewHashes = 200;
let hashes = 0;
let native: Pick<typeof import('node:crypto'), 'hash'> | undefined;

/** SHA-256 of a text in hex: enough for secrets that are long and random, and fast enough to be done for every request. */
export function hashOf(text: string): string {
  if (native !== undefined) return native.hash('sha256', text, 'hex');
  // Browsers have no synchronous hash. No bundler sees an import here, and nothing named `node:`, which a test looks for.
  if (++hashes === fewHashes) native = globalThis.process?.getBuiltinModule?.('crypto');
  return bytesToHex(sha256(utf8ToBytes(text)));
}
