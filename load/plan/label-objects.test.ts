import { expect, test } from 'vitest';
import type { TargetInput } from '../../spec/files/target.ts';
import type { Scope } from '../../spec/operations.ts';
import { labelWork } from './label-objects.ts';
import { normalTarget } from './normal-target.ts';

type Tenant = TargetInput['tenants'][number];

const key = (name: string, scopes: Scope[], more = {}) => ({ name, secret: `secret-of-${name}`, scopes, ...more });
const full: Scope[] = ['conversation:write', 'client:write', 'site:write'];
const acme: Tenant = {
  name: 'acme',
  keys: [
    key('reader', ['conversation:read']),
    key('limits', full, { use: 'limits' }),
    key('old', full, { revoked: true }),
    key('sites', ['site:write']),
    key('full', full),
  ],
  conversations: { open: 'c1' },
  sites: { current: 'ovaid-1' },
  clientSite: { client: 'ovcid-1', site: 'ovaid-2' },
  spareLabel: { id: 'l1', name: 'spare' },
};
const work = (tenant: Partial<Tenant> = {}, names: string[] = [], operations: TargetInput['operations'] = {}) =>
  labelWork(normalTarget({ baseUrl: 'http://localhost', operations, tenants: [{ ...acme, ...tenant }] }, ''), names);

test('takes the free key that reaches most records, unless a key is named', () => {
  expect(work().key.name).toBe('full');
  expect(work({}, ['sites'])).toMatchObject({ key: { name: 'sites' }, objects: [{ name: 'site' }] });
  expect(work({}, ['limits']).key.name).toBe('limits');
});

test('makes the requests of the contract with the ids of the target file', () => {
  const { objects, label } = work();
  expect(label).toEqual({ id: 'l1', name: 'spare' });
  expect(
    objects.map(({ name, apply, remove }) => [name, apply.method, apply.path, remove.method, remove.path]),
  ).toEqual([
    ['conversation', 'PUT', '/v1/conversation/c1/label/l1', 'DELETE', '/v1/conversation/c1/label/l1'],
    ['site', 'PUT', '/v1/site/ovaid-1/label/l1', 'DELETE', '/v1/site/ovaid-1/label/l1'],
    [
      'client-site link',
      'PUT',
      '/v1/client/ovcid-1/site/ovaid-2/label/l1',
      'DELETE',
      '/v1/client/ovcid-1/site/ovaid-2/label/l1',
    ],
  ]);
});

test('leaves out records that the target file does not have', () => {
  const { clientSite: _, conversations: __, ...rest } = acme;
  const names = (given: ReturnType<typeof work>) => given.objects.map(({ name }) => name);
  expect(names(work({ ...rest, clientSite: undefined, conversations: {} }))).toEqual(['site']);
  expect(names(work({}, [], { applySiteLabel: null }))).toEqual(['conversation', 'client-site link']);
});

test.each<[string, Partial<Tenant>, string[], RegExp]>([
  ['no spare label', { spareLabel: undefined }, [], /^labels needs tenants\[0\]\.spareLabel/],
  ['a key without scopes', {}, ['reader'], /^labels needs a key that may label something: conversation:write and/],
  ['a key that is revoked', {}, ['old'], /^labels needs a key that may label something/],
  ['nothing to label', { conversations: {}, sites: {}, clientSite: undefined }, [], /^labels needs a key that may/],
])('%s is refused', (_, tenant, names, problem) => {
  expect(() => work(tenant, names)).toThrow(problem);
});
