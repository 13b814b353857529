import { expect, it } from 'vitest';
import { knownKeys } from './reads.ts';

it('offers only keys that work and whose secret is documented', () => {
  const keys = [
    { name: 'full', secret: 'documented-fake', scopes: [] },
    { name: 'mine', secret: ['$', '{ACME_MINE_KEY}'].join(''), scopes: [] },
    { name: 'old', secret: 'documented-too', scopes: [], revoked: true },
  ];
  expect(knownKeys({ name: 'acme', keys }).map(({ name }) => name)).toEqual(['full']);
  expect(knownKeys(undefined)).toEqual([]);
});
