import { expect, test } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import { selectKeys } from './work.ts';

const key = (name: string, more = {}) => ({ name, secret: `secret-of-${name}`, ...more });
const targetWith = (...keys: ReturnType<typeof key>[]) =>
  parseTarget({ baseUrl: 'http://localhost/', tenants: [{ name: 'acme', keys }] }, {}, 'target');
const names = (...given: Parameters<typeof selectKeys>) => selectKeys(...given).map(({ name }) => name);
const target = targetWith(
  key('full'),
  key('kept', { use: 'limits', rateLimit: { perSecond: 50 } }),
  key('old', { revoked: true }),
);

test('takes keys with use: limits, and others only if they are named', () => {
  expect(names(target, 'one', [])).toEqual(['kept']);
  expect(names(target, 'one', ['full'])).toEqual(['full']);
  expect(names(target, 'pair', [])).toEqual(['kept', 'full']);
  expect(names(target, 'pair', ['full'])).toEqual(['full', 'kept']);
  expect(names(target, 'all', [])).toEqual(['full', 'kept']);
});

test('takes no key that was not offered', () => {
  expect(() => selectKeys(targetWith(key('full')), 'one', [])).toThrow(
    'no key is marked "use: limits"; mark one, or give --key (one of full)',
  );
  expect(() => selectKeys(target, 'one', ['old'])).toThrow('acme has no usable key old; it has full, kept');
  expect(() => selectKeys(target, 'one', ['full', 'kept'])).toThrow('give --key once');
  expect(() => selectKeys(target, 'pair', ['full', 'full'])).toThrow('named twice');
});

test('takes 10 per second and a burst of 20 as default limit', () => {
  expect(selectKeys(target, 'all', []).map(({ rateLimit }) => rateLimit)).toEqual([
    { perSecond: 10, burst: 20 },
    { perSecond: 50, burst: 20 },
  ]);
  expect(target.baseUrl).toBe('http://localhost');
});
