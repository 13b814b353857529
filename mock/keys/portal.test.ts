import { beforeEach, expect, it } from 'vitest';
import { createMock, type Mock } from '../create-mock.ts';
import type { NewKeyOptions } from './portal.ts';

let mock: Mock;
beforeEach(async () => {
  mock = await createMock();
});

const full = { tenant: 'acme', name: 'full' };
const wrongLimits = [
  { perSecond: 0, burst: 1 },
  { perSecond: Number.POSITIVE_INFINITY, burst: 1 },
  { perSecond: 1, burst: 0 },
  { perSecond: 1, burst: 1.5 },
];

it.each<[Partial<NewKeyOptions>, string]>([
  [{ name: ' ' }, 'name: must have 1 to 100 characters'],
  [{ name: 'full' }, 'has a key full already'],
  ...wrongLimits.map((rateLimit): [Partial<NewKeyOptions>, string] => [{ rateLimit }, 'rateLimit.']),
])('refuses to create %j', (options, message) => {
  const before = mock.keysOf('acme').length;
  expect(() => mock.createKey('acme', { name: 'new', scopes: [], ...options })).toThrow(message);
  expect(mock.keysOf('acme')).toHaveLength(before);
});

it.each(wrongLimits)('refuses to edit a limit to %j, and leaves the scopes alone too', (rateLimit) => {
  expect(() => mock.editKey(full, { scopes: [], rateLimit })).toThrow('rateLimit.');
  const key = mock.findKey(full);
  expect([key.rateLimit, key.scopes.size]).toEqual([undefined, 8]);
});

it('does not change a revoked key, but lets a new key have its name', () => {
  const { id } = mock.revokeKey(full);
  expect(() => mock.regenerateKey(id)).toThrow('revoked, which cannot be undone');
  expect(() => mock.editKey(id, { scopes: [] })).toThrow('revoked, which cannot be undone');
  mock.revokeKey(id);
  const { key } = mock.createKey('acme', { name: 'full', scopes: [] });
  expect(mock.findKey(full)).toBe(key);
  expect(mock.findKey(id).revoked).toBe(true);
});

it('names a key that does not exist', () => {
  expect(() => mock.findKey('nobody')).toThrow('no key with the id nobody');
  expect(() => mock.findKey({ tenant: 'acme', name: 'nobody' })).toThrow('tenant acme has no key nobody');
  expect(() => mock.keysOf('nobody')).toThrow('there is no tenant nobody');
});
