import { expect, test } from 'vitest';
import { portableTarget } from './portable-target.ts';

const variable = (name: string) => `\${${name}}`;

test('no secret stays in it, and every variable is named once', () => {
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
