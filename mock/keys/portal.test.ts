import { beforeEach, expect, it } from 'vitest';
import type { NewKeyOptions } from '../arguments/shapes.ts';
import { createMock, type Mock } from '../create-mock.ts';

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
  const before = mock.keys.list('acme').length;
  expect(() => mock.keys.create('acme', { name: 'new', scopes: [], ...options })).toThrow(message);
  expect(mock.keys.list('acme')).toHaveLength(before);
});

it.each(wrongLimits)('refuses to edit a limit to %j, and leaves the scopes alone too', (rateLimit) => {
  expect(() => mock.keys.edit(full, { scopes: [], rateLimit })).toThrow('rateLimit.');
  const key = mock.keys.find(full);
  expect([key.rateLimit, key.scopes.length]).toEqual([null, 8]);
});

it('does not change a revoked key, but lets a new key have its name', () => {
  const { id } = mock.keys.revoke(full);
  expect(() => mock.keys.regenerate(id)).toThrow('revoked, which cannot be undone');
  expect(() => mock.keys.edit(id, { scopes: [] })).toThrow('revoked, which cannot be undone');
  mock.keys.revoke(id);
  const { key } = mock.keys.create('acme', { name: 'full', scopes: [] });
  expect(mock.keys.find(full)).toBe(key);
  expect(mock.keys.find(id).revoked).toBe(true);
});

it('names a key that does not exist', () => {
  expect(() => mock.keys.find('nobody')).toThrow('no key with the id nobody');
  expect(() => mock.keys.find({ tenant: 'acme', name: 'nobody' })).toThrow('tenant acme has no key nobody');
  expect(() => mock.keys.list('nobody')).toThrow('there is no tenant nobody');
});
