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

test('takes the client certificate along as texts, and no path', () => {
  const value = {
    baseUrl: 'https://x',
    tls: { ca: 'ca.pem', cert: 'client.pem', key: variable('KEY_FILE') },
    tenants: [{ name: 'acme', keys: [{ name: 'a', secret: variable('ACME_KEY') }] }],
  };
  const { target, secrets, variables } = portableTarget(value, { ca: 'A', cert: 'B', key: 'C' });
  expect(target.tls).toEqual({ cert: variable('PARTNERKIT_TLS_CERT'), key: variable('PARTNERKIT_TLS_KEY') });
  expect(secrets).toEqual({ PARTNERKIT_TLS_CERT: 'B', PARTNERKIT_TLS_KEY: 'C' });
  expect(variables).not.toContain('KEY_FILE');
});
