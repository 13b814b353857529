import { createRedaction } from '../../spec/redaction/redaction.ts';
import { checkArguments, type KeyEdit, type NewKeyOptions, shapes } from '../arguments/shapes.ts';
import { MockError, missing } from '../mock-error.ts';
import { createBucket, type Limiter, type RateLimit, type RecordedLimiter, recorded } from './bucket.ts';
import { equalInConstantTime, hashOf, newSecret, sealed, secretLength } from './secret.ts';
import type { StoredKey } from './stored-key.ts';

/** An API key as it is kept at rest, with its tenant. */
export interface ApiKey extends StoredKey {
  readonly tenant: string;
  /** @internal */
  bucket: RecordedLimiter;
}

/** A key by its id, or by its tenant and name. If several have that name, the one that is not revoked. */
export type KeyRef = string | { readonly tenant: string; readonly name: string };

/** A key with its secret. Only this object contains the secret. */
export interface RevealedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

interface KeyRingOptions {
  /** The limit of keys that have none of their own. */
  readonly defaultLimit: RateLimit;
  createLimiter?: ((limit: RateLimit) => Limiter) | undefined;
  /** Milliseconds since the epoch by the mock's clock. */
  readonly now: () => number;
  /** Throws a MockError if there is no tenant of this name. */
  readonly checkTenant: (name: string) => unknown;
  /** Is called before a secret is no longer redacted. */
  readonly onForget?: () => void;
}

/**
 * All keys of a mock, managed as the product's developer portal does. Of a secret only the SHA-256 is kept. Methods that fail throw a
 * `MockError` and change nothing.
 */
export class KeyRing {
  readonly #byHash = new Map<string, ApiKey>();
  readonly #byId = new Map<string, ApiKey>();
  /**
   * Redacts the secrets of all keys in a text. A secret is recognised by its first eight characters.
   * @internal
   */
  readonly secrets = createRedaction();
  /** Secrets that fixture files document, with their hashes. */
  readonly #documented = new Map<string, string>();
  readonly #options: KeyRingOptions;

  /** @internal */
  constructor(options: KeyRingOptions) {
    this.#options = options;
  }

  /** The keys of a tenant, or of all, in the order in which they were added, with revoked keys. */
  list(tenant?: string): ApiKey[] {
    if (tenant !== undefined) this.#options.checkTenant(tenant);
    return this.#of(tenant);
  }

  find(ref: KeyRef): ApiKey {
    if (typeof ref === 'string') return this.#byId.get(ref) ?? missing(`there is no key with the id ${ref}`);
    // A name is free again only when its key is revoked, so the last one counts.
    const named = this.list(ref.tenant).findLast(({ name }) => name === ref.name);
    return named ?? missing(`tenant ${ref.tenant} has no key ${ref.name}`);
  }

  create(tenant: string, options: NewKeyOptions): RevealedKey {
    const keys = this.list(tenant);
    checkArguments(options, shapes().newKey);
    if (keys.some(({ name, revoked }) => name === options.name && !revoked)) {
      const remedy = 'revoke that key or choose another name';
      throw new MockError('conflict', `tenant ${tenant} has a key ${options.name} already; ${remedy}`);
    }
    const secret = newSecret();
    return { key: this.add(tenant, secret, options), secret };
  }

  /** Issues a new secret. The old one stops working at once. Name, scopes and bucket stay. */
  regenerate(ref: KeyRef): RevealedKey {
    const key = this.#unrevoked(ref);
    const secret = newSecret();
    // Clients may still send the old one, so it stays redacted.
    this.#byHash.delete(key.hash);
    Object.assign(key, sealed(secret));
    this.#byHash.set(key.hash, key);
    this.secrets.addBeginning(key.prefix, secretLength, `${key.prefix}…`);
    return { key, secret };
  }

  /** Revokes a key at once and for good. The key stays listed. Revoking it again changes nothing. */
  revoke(ref: KeyRef): ApiKey {
    const key = this.find(ref);
    key.revokedAt ??= this.#options.now();
    key.revoked = true;
    return key;
  }

  edit(ref: KeyRef, edit: KeyEdit): ApiKey {
    this.find(ref);
    checkArguments(edit, shapes().keyEdit);
    const key = this.#unrevoked(ref);
    const { scopes, rateLimit } = edit;
    if (scopes !== undefined) key.scopes = [...scopes];
    if (rateLimit !== undefined) {
      key.rateLimit = rateLimit;
      key.bucket.limitTo(this.limitOf(key), this.#options.now());
    }
    return key;
  }

  /** The key's own limit, or the default. */
  limitOf(key: ApiKey): RateLimit {
    return key.rateLimit ?? this.#options.defaultLimit;
  }

  /**
   * Gives every key a new bucket.
   * @internal
   */
  limitBy(createLimiter: (limit: RateLimit) => Limiter): void {
    this.#options.createLimiter = createLimiter;
    for (const key of this.#byId.values()) key.bucket = recorded(createLimiter(this.limitOf(key)));
  }

  /** The secret of a key from a fixture file, which is a documented fake. Undefined for every other key. */
  documentedSecretOf({ hash }: ApiKey): string | undefined {
    return [...this.#documented].find(([, known]) => known === hash)?.[0];
  }

  /**
   * The key with this secret, even if it is revoked; undefined if there is none.
   * @internal
   */
  recognise(secret: string): ApiKey | undefined {
    const hash = this.#documented.get(secret) ?? hashOf(secret);
    const key = this.#byHash.get(hash);
    return key !== undefined && equalInConstantTime(key.hash, hash) ? key : undefined;
  }

  /**
   * Adds a key with this secret.
   * @throws RangeError if another key has this secret
   * @internal
   */
  add(tenant: string, secret: string, options: NewKey): ApiKey {
    return this.put(tenant, newKey(secret, options, this.#options.now()));
  }

  /**
   * Adds a key of which only the hash is known.
   * @throws RangeError if another key has this secret
   * @internal
   */
  put(tenant: string, stored: StoredKey): ApiKey {
    if (this.#byHash.has(stored.hash)) {
      throw new RangeError(`key "${stored.name}" of ${tenant}: another key has this secret`);
    }
    const { createLimiter = createBucket, defaultLimit } = this.#options;
    const bucket = recorded(createLimiter(stored.rateLimit ?? defaultLimit));
    const key: ApiKey = { ...stored, tenant, bucket };
    this.#byHash.set(key.hash, key);
    this.#byId.set(key.id, key);
    this.secrets.addBeginning(key.prefix, secretLength, `${key.prefix}…`);
    return key;
  }

  /**
   * Takes a key out of all lists and files. It still works.
   * @internal
   */
  unlist({ id }: ApiKey): void {
    this.#byId.delete(id);
  }

  /**
   * Keeps a documented fake with its hash, so that requests with it need none.
   * @internal
   */
  document(secret: string, { hash, prefix }: Pick<StoredKey, 'hash' | 'prefix'>): void {
    this.#documented.set(secret, hash);
    this.secrets.add(secret, `${prefix}…`);
  }

  /**
   * Removes all keys of a tenant.
   * @internal
   */
  removeTenant(tenant: string): void {
    const removed = this.#of(tenant);
    for (const { hash, id } of removed) {
      this.#byHash.delete(hash);
      this.#byId.delete(id);
    }
    this.#options.onForget?.();
    // Another key may have the same beginning.
    const left = new Set(Array.from(this.#byId.values(), ({ prefix }) => prefix));
    for (const { prefix } of removed) if (!left.has(prefix)) this.secrets.remove(prefix);
  }

  #of(tenant: string | undefined): ApiKey[] {
    const keys = [...this.#byId.values()];
    return tenant === undefined ? keys : keys.filter((key) => key.tenant === tenant);
  }

  #unrevoked(ref: KeyRef): ApiKey {
    const key = this.find(ref);
    if (!key.revoked) return key;
    throw new MockError('conflict', `key ${key.name} was revoked, which cannot be undone; create a new key`);
  }
}

type NewKey = KeyEdit & { readonly name: string; readonly revoked?: boolean | undefined };

/** A new key as it is kept at rest. @param at milliseconds since the epoch */
export function newKey(
  secret: string,
  { name, scopes = [], rateLimit = null, revoked = false }: NewKey,
  at: number,
  id: string = crypto.randomUUID(),
): StoredKey {
  const times = { createdAt: at, lastUsedAt: null, revokedAt: revoked ? at : null };
  return { id, name, ...sealed(secret), scopes: [...scopes], rateLimit, revoked, ...times };
}
