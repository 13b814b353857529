import { expect, it } from 'vitest';
import type { Key } from './control.ts';
import { knownKeys } from './reads.ts';

it('offers only keys that work and whose secret is documented', () => {
  const keys = [
    { name: 'full', documentedSecret: 'documented-fake', state: 'ACTIVE' },
    { name: 'mine', documentedSecret: null, state: 'ACTIVE' },
    { name: 'old', documentedSecret: 'documented-too', state: 'REVOKED' },
  ] as Key[];
  expect(knownKeys(keys).map(({ name, secret }) => [name, secret])).toEqual([['full', 'documented-fake']]);
  expect(knownKeys(undefined)).toEqual([]);
});
