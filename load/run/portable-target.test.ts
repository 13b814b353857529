import { expect, test } from 'vitest';
import { portableTarget } from './portable-target.ts';

const variable = (name: string) => `\${${name}}`;

test('contains no secret, and names every variable once', () => {
  const keys = [
    { name: 'a', secret: 'plain-secret' },
    { name: 'b', secret: variable('ACME_KEY') },
    { name: 'c', secret: variable('ACME_KEY') },
  ];
  const { target, secrets, variables } = portableTarget({
    baseUrl: variable('ACME_URL'),
    tenants: [{ name: 'acme', keys }],
  });
  expect(JSON.stringify(target)).not.toContain('plain-secret');
  expect(secrets).toEqual({ PARTNERKIT_SECRET_1: 'plain-secret' });
  expect(variables).toEqual(['ACME_URL', 'PARTNERKIT_SECRET_1', 'ACME_KEY']);
});

test('leaves out fields that no scenario uses, with their secrets', () => {
  const { target, secrets, variables } = portableTarget({
    baseUrl: 'http://localhost',
    tenants: [
      {
        name: 'acme',
        keys: [
          { name: 'old', secret: variable('OLD_KEY'), revoked: true },
          { name: 'full', secret: 'plain-secret' },
        ],
      },
      { name: 'globex', keys: [{ name: 'full', secret: variable('GLOBEX_KEY') }] },
    ],
  });
  expect(target.tenants.map(({ keys }) => keys.map(({ name }) => name))).toEqual([['full']]);
  expect(secrets).toEqual({ PARTNERKIT_SECRET_1: 'plain-secret' });
  expect(variables).toEqual(['PARTNERKIT_SECRET_1']);
});
