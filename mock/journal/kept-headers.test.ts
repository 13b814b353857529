import { expect, it } from 'vitest';
import { type ApiKey, KeyRing } from '../keys/key-ring.ts';
import { createKeptHeaders } from './kept-headers.ts';

const keys = new KeyRing({ perSecond: 1, burst: 1 });
const [key, other] = ['first-secret-000001', 'other-secret-000002'].map((secret) =>
  keys.add({ id: secret, name: secret, tenant: 'acme', secret, scopes: [], createdAt: 0 }),
);
const headers = (more: Record<string, string> = {}) => ({ host: 'here', 'x-api-key': 'first-secret-000001', ...more });

const keptHeaders = () => {
  const kept = createKeptHeaders();
  return (headers: Record<string, string>, key: ApiKey | null) =>
    kept(headers, key, (text) => keys.secrets.apply(text));
};

it('keeps one object for equal requests of a key', () => {
  const kept = keptHeaders();
  const first = kept(headers(), key ?? null);
  expect(first).toEqual({ host: 'here', 'x-api-key': 'first-se…' });
  expect(kept(headers(), key ?? null)).toBe(first);
});

it.each([
  ['another value', { host: 'there' }],
  ['one more', { accept: '*/*' }],
  ['something to hide', { authorization: 'Bearer abc' }],
  ['a cookie', { cookie: 'a=b' }],
])('tells apart what has %s', (_, more) => {
  const kept = keptHeaders();
  kept(headers(), key ?? null);
  const got = kept(headers(more), key ?? null);
  expect(JSON.stringify(got)).not.toMatch(/abc|a=b|secret/);
  expect(Object.keys(got)).toEqual(Object.keys(headers(more)));
  expect(kept(headers(), key ?? null)).toEqual({ host: 'here', 'x-api-key': 'first-se…' });
});

it('does not take one credential for another', () => {
  const kept = keptHeaders();
  const [basic, bearer] = ['Basic abc', 'Bearer def'].map((authorization) =>
    kept(headers({ authorization }), key ?? null),
  );
  expect([basic?.authorization, bearer?.authorization]).toEqual(['Basic …', 'Bearer …']);
});

it('distinguishes keys, and shows nothing of an unknown key', () => {
  const kept = keptHeaders();
  kept(headers(), key ?? null);
  expect(kept(headers(), other ?? null)['x-api-key']).toBe('other-se…');
  expect(kept(headers(), null)['x-api-key']).toBe('(unknown key, 19 characters)');
});
