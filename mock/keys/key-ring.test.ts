import { beforeEach, describe, expect, it } from 'vitest';
import { defaultRateLimit } from './bucket.ts';
import { type ApiKey, KeyRing } from './key-ring.ts';

const secret = 'fakefake-secret-0001';
let keys: KeyRing;
let key: ApiKey;

const add = (name: string, ofSecret: string, tenant = 'acme') =>
  keys.add(tenant, ofSecret, { name, scopes: ['site:read'] });

beforeEach(() => {
  keys = new KeyRing({ defaultLimit: defaultRateLimit, now: () => 0, checkTenant: () => {} });
  key = add('first', secret);
});

describe('a key ring', () => {
  it('recognises a key by its whole secret only', () => {
    expect(keys.recognise(secret)).toBe(key);
    for (const other of ['', secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), `${secret}, ${secret}`]) {
      expect(keys.recognise(other)).toBeUndefined();
    }
  });

  it('keeps a hash and the first eight characters, never the secret', () => {
    expect(JSON.stringify(keys.list())).not.toContain(secret);
    expect(key.prefix).toBe('fakefake');
  });

  it('refuses a secret that another key has, and does not change', () => {
    expect(() => add('second', secret)).toThrow(/another key has this secret/);
    expect(keys.list()).toEqual([key]);
  });

  it('regenerates: the old secret fails at once, name, scopes and bucket stay', () => {
    key.bucket.take(0);
    const made = keys.regenerate(key.id);
    expect(keys.recognise(secret)).toBeUndefined();
    expect([made.key, keys.recognise(made.secret)]).toEqual([key, key]);
    expect([key.prefix, key.name, key.bucket.level(0)]).toEqual([made.secret.slice(0, 8), 'first', 19]);
  });

  it('follows every change of a key whose secret is documented', () => {
    keys.document(secret, key);
    expect(keys.recognise(secret)).toBe(key);
    expect(keys.documentedSecretOf(key)).toBe(secret);
    keys.regenerate(key.id);
    expect([keys.recognise(secret), keys.documentedSecretOf(key)]).toEqual([undefined, undefined]);
    const again = add('again', secret);
    expect(keys.recognise(secret)).toBe(again);
    keys.removeTenant('acme');
    expect(keys.recognise(secret)).toBeUndefined();
  });

  it('keeps a revoked key listed', () => {
    expect(key.revokedAt).toBeNull();
    keys.revoke(key.id);
    expect(keys.recognise(secret)).toMatchObject({ revoked: true, revokedAt: 0 });
    expect(keys.list('acme')).toEqual([key]);
  });

  it('has a bucket per key, with the limit of the key where it has one', () => {
    const other = add('second', 'another-secret-0002');
    for (let i = 0; i < 20; i++) key.bucket.take(0);
    expect(key.bucket.take(0)).toBeGreaterThan(0);
    expect(other.bucket.take(0)).toBe(0);
    keys.edit(other.id, { rateLimit: { perSecond: 1, burst: 2 } });
    expect(keys.limitOf(other)).toEqual({ perSecond: 1, burst: 2 });
    expect(other.bucket.level(0)).toBe(2);
    keys.edit(other.id, { rateLimit: null });
    expect(keys.limitOf(other)).toEqual(defaultRateLimit);
  });

  it('forgets the keys of a removed tenant and no others', () => {
    add('second', 'another-secret-0002', 'globex');
    keys.removeTenant('acme');
    expect(keys.recognise(secret)).toBeUndefined();
    expect(keys.list().map(({ name }) => name)).toEqual(['second']);
  });
});
