import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadTarget } from '../../spec/files/target.ts';
import { normalTarget } from './normal-target.ts';

const placeholder = `\${FULL}`;
const packaged = fileURLToPath(new URL('../../fixtures/mock.target.yaml', import.meta.url));

test('k6 reads a target file like the other commands', () => {
  const given: unknown = parse(readFileSync(packaged, 'utf8'));
  // But for hooks: nothing of a load run is done inside the product.
  expect(normalTarget(given, packaged)).toEqual({ ...loadTarget(packaged, {}), hooks: {} });
});

test('fills in defaults, and keeps every given field', () => {
  const rateLimit = { perSecond: 50 };
  const target = normalTarget(
    {
      baseUrl: 'https://api.example.com/base//',
      operations: { listLabels: null, getHealth: undefined },
      tenants: [{ name: 'acme', sites: { current: 's' }, keys: [{ name: 'full', secret: placeholder, rateLimit }] }],
    },
    'target.json',
  );
  expect(target).toMatchObject({ baseUrl: 'https://api.example.com/base', clockSkewSeconds: 5 });
  expect(target.operations).toEqual({ listLabels: null });
  expect(target.tenants[0]).toEqual({
    name: 'acme',
    sites: { current: 's' },
    keys: [
      {
        name: 'full',
        secret: placeholder,
        scopes: [],
        revoked: false,
        rateLimit: { perSecond: 50, burst: 20 },
      },
    ],
  });
});

test.each([
  null,
  'target.yaml',
  [],
  {},
  { baseUrl: 'http://localhost' },
  { baseUrl: 1, tenants: [{ keys: [] }] },
  { baseUrl: 'http://localhost', tenants: [] },
  { baseUrl: 'http://localhost', tenants: [{ name: 'acme' }] },
])('%j is no target', (value) => {
  expect(() => normalTarget(value, 'target.json')).toThrow(
    /^target\.json: needs baseUrl and tenants with keys; check it with "partnerkit load run"/,
  );
});
