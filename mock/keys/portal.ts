import type { Scope } from '../../spec/operations.ts';
import { checkArguments } from '../arguments/check-arguments.ts';
import { shapes } from '../arguments/shapes.ts';
import { MockError } from '../mock-error.ts';
import type { RateLimit } from './bucket.ts';
import type { ApiKey, KeyRing } from './key-ring.ts';
import { newSecret } from './new-secret.ts';

/** A key by its id, or by its tenant and name. If several have that name, the one that is not revoked. */
export type KeyRef = string | { readonly tenant: string; readonly name: string };

/** A new key. */
export interface NewKeyOptions {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The key's own limit; by default that of the mock. */
  readonly rateLimit?: RateLimit | undefined;
}

/** Changes of a key. A `rateLimit` of null removes the key's own limit. The secret stays the same. */
export interface KeyEdit {
  readonly scopes?: readonly Scope[] | undefined;
  readonly rateLimit?: RateLimit | null | undefined;
}

/** A key with its secret. Only this object contains the secret. */
export interface RevealedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** Manages keys as the product's developer portal does. Methods that fail throw a `MockError` and change nothing. */
export class Portal {
  readonly #keys: KeyRing;
  readonly #tenant: (name: string) => unknown;
  readonly #now: () => number;

  /** @param tenant finds a tenant by name and throws a MockError if there is none */
  constructor(keys: KeyRing, tenant: (name: string) => unknown, now: () => number) {
    this.#keys = keys;
    this.#tenant = tenant;
    this.#now = now;
  }

  create(tenant: string, options: NewKeyOptions): RevealedKey {
    this.#tenant(tenant);
    checkArguments(options, shapes().newKey);
    const { name, scopes, rateLimit } = options;
    if (this.#keys.list(tenant).some((key) => key.name === name && !key.revoked)) {
      throw new MockError(
        'conflict',
        `tenant ${tenant} has a key ${name} already; revoke that key or choose another name`,
      );
    }
    const secret = newSecret();
    const key = this.#keys.add({
      id: crypto.randomUUID(),
      tenant,
      name,
      scopes,
      rateLimit,
      secret,
      createdAt: this.#now(),
    });
    return { key, secret };
  }

  /** Issues a new secret. The old one stops working at once. */
  regenerate(ref: KeyRef): RevealedKey {
    const key = this.find(ref);
    if (key.revoked)
      throw new MockError('conflict', `key ${key.name} was revoked, which cannot be undone; create a new key`);
    const secret = newSecret();
    this.#keys.regenerate(key, secret);
    return { key, secret };
  }

  /** Revokes a key at once and for good. The key stays listed. Revoking it again changes nothing. */
  revoke(ref: KeyRef): ApiKey {
    const key = this.find(ref);
    this.#keys.revoke(key);
    return key;
  }

  edit(ref: KeyRef, edit: KeyEdit): ApiKey {
    const key = this.find(ref);
    checkArguments(edit, shapes().keyEdit);
    const { scopes, rateLimit } = edit;
    if (key.revoked)
      throw new MockError('conflict', `key ${key.name} was revoked, which cannot be undone; create a new key`);
    if (scopes !== undefined) key.scopes = new Set(scopes);
    if (rateLimit !== undefined) this.#keys.limit(key, rateLimit ?? undefined, this.#now());
    return key;
  }

  find(ref: KeyRef): ApiKey {
    if (typeof ref === 'string') {
      return this.#keys.get(ref) ?? missing(`there is no key with the id ${ref}`);
    }
    this.#tenant(ref.tenant);
    const named = this.#keys.list(ref.tenant).filter(({ name }) => name === ref.name);
    return named.find(({ revoked }) => !revoked) ?? named[0] ?? missing(`tenant ${ref.tenant} has no key ${ref.name}`);
  }
}

function missing(message: string): never {
  throw new MockError('missing', message);
}
