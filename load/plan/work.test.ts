import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readYamlFile } from '../../spec/files/read-file.ts';
import { parseTarget, type Target, type TargetInput } from '../../spec/files/target.ts';
import type { Scope } from '../../spec/operations.ts';
import { scenarioPlan } from '../scenarios.ts';
import { probesOf, workOf } from './work.ts';

const packaged = new URL('../../fixtures/mock.target.yaml', import.meta.url);

type Tenant = TargetInput['tenants'][number];

const key = (name: string, scopes: Scope[], more = {}) => ({ name, secret: `secret-of-${name}`, scopes, ...more });
const full: Scope[] = ['conversation:write', 'client:write', 'site:write'];
const [conversation, spare] = ['c0000000-0000-4000-8000-000000000001', '10000000-0000-4000-8000-000000000001'];
const acme: Tenant = {
  name: 'acme',
  keys: [
    key('reader', ['conversation:read']),
    key('limits', full, { use: 'limits' }),
    key('old', full, { revoked: true }),
    key('sites', ['site:write']),
    key('full', full),
  ],
  conversations: { open: conversation },
  sites: { current: 'ovaid-1' },
  clientSite: { client: 'ovcid-1', site: 'ovaid-2' },
  spareLabel: { id: spare, name: 'spare' },
};
const targetOf = (tenant: Tenant, operations: TargetInput['operations'] = {}) =>
  parseTarget({ baseUrl: 'http://localhost', operations, tenants: [tenant] }, {}, 'target');
const workFor = (scenario: string, target: Target, names: string[]) => {
  const plan = scenarioPlan(scenario);
  if (plan === undefined) throw new Error(`no scenario ${scenario}`);
  const { keys, ...work } = workOf(plan, target, names);
  return { key: keys[0], ...work };
};
const work = (tenant: Partial<Tenant> = {}, names: string[] = [], operations: TargetInput['operations'] = {}) => {
  const { key, labels } = workFor('labels', targetOf({ ...acme, ...tenant }, operations), names);
  return { key, records: labels?.records ?? [], label: labels?.label };
};

test('takes the free key that reaches most records, unless a key is named', () => {
  expect(work().key?.name).toBe('full');
  expect(work({}, ['sites'])).toMatchObject({ key: { name: 'sites' }, records: [{ name: 'site' }] });
  expect(work({}, ['limits']).key?.name).toBe('limits');
});

test('makes the requests of the contract with the ids of the target file', () => {
  const { records, label } = work();
  expect(label).toEqual({ id: spare, name: 'spare' });
  expect(
    records.map(({ name, apply, remove }) => [name, apply.method, apply.path, remove.method, remove.path]),
  ).toEqual([
    [
      'conversation',
      'PUT',
      `/v1/conversation/${conversation}/label/${spare}`,
      'DELETE',
      `/v1/conversation/${conversation}/label/${spare}`,
    ],
    ['site', 'PUT', `/v1/site/ovaid-1/label/${spare}`, 'DELETE', `/v1/site/ovaid-1/label/${spare}`],
    [
      'client-site link',
      'PUT',
      `/v1/client/ovcid-1/site/ovaid-2/label/${spare}`,
      'DELETE',
      `/v1/client/ovcid-1/site/ovaid-2/label/${spare}`,
    ],
  ]);
});

test('leaves out records that the target file does not have', () => {
  const { clientSite: _, conversations: __, ...rest } = acme;
  const names = (given: ReturnType<typeof work>) => given.records.map(({ name }) => name);
  expect(names(work({ ...rest, clientSite: undefined, conversations: {} }))).toEqual(['site']);
  expect(names(work({}, [], { applySiteLabel: null }))).toEqual(['conversation', 'client-site link']);
});

test.each<[string, Partial<Tenant>, string[], RegExp]>([
  ['no spare label', { spareLabel: undefined }, [], /^labels needs tenants\[0\]\.spareLabel/],
  ['a key without scopes', {}, ['reader'], /^labels needs a key that may label something: conversation:write and/],
  ['a key that is revoked', {}, ['old'], /^acme has no usable key old; it has/],
  ['nothing to label', { conversations: {}, sites: {}, clientSite: undefined }, [], /^labels needs a key that may/],
])('%s is refused', (_, tenant, names, problem) => {
  expect(() => work(tenant, names)).toThrow(problem);
});

test('probes are requests that the key may send and that change nothing', () => {
  const target = parseTarget(readYamlFile(fileURLToPath(packaged)), {}, 'mock.target.yaml');
  const idsOf = (scopes: Scope[], operations = {}) =>
    probesOf(
      { ...target, operations },
      { ...key('any', scopes), revoked: false, rateLimit: { perSecond: 10, burst: 20 } },
    );
  const names = (...given: Parameters<typeof idsOf>) => idsOf(...given).map(({ operationId }) => operationId);
  expect(names([])).toEqual(['listLabels', 'getHealth']);
  const some = ['conversation:read', 'siteFile:write', 'conversation:write'];
  const ids = ['listLabels', 'getHealth', 'getConversation', 'getConversationContext', 'startSiteFileUpload'];
  expect(names(some)).toEqual(ids);
  expect(idsOf(['siteFile:write']).at(-1)).toMatchObject({ method: 'POST', body: '{"contentType":"text/plain"}' });
  expect(names([], { listLabels: null })).toEqual(['getHealth']);
  expect(idsOf([], { listLabels: { path: '/v2/tags', method: 'POST' } })[0]).toMatchObject({
    method: 'POST',
    path: '/v2/tags',
  });
  expect(() => idsOf([], { listLabels: null, getHealth: null })).toThrow('has neither listLabels nor getHealth');
});

const uploaders = [
  key('limits', ['siteFile:write'], { use: 'limits' }),
  key('old', ['siteFile:write'], { revoked: true }),
  key('reader', ['site:read']),
  key('files', ['siteFile:write']),
];
const uploading = (names: string[] = [], operations: TargetInput['operations'] = {}, sites = acme.sites) =>
  workFor('upload', targetOf({ name: 'acme', keys: uploaders, sites }, operations), names);

test('an upload takes a free key that may upload, and makes the requests of the contract', () => {
  const { key, upload } = uploading();
  const { start, register } = upload ?? {};
  expect(key?.name).toBe('files');
  expect([start?.method, start?.path]).toEqual(['POST', '/v1/site/ovaid-1/file/upload-url']);
  expect([register?.method, register?.path]).toEqual(['POST', '/v1/site/ovaid-1/file']);
  expect(uploading(['limits']).key?.name).toBe('limits');
});

test.each<[string, Parameters<typeof uploading>, string]>([
  ['no site', [[], {}, {}], 'upload needs tenants[0].sites.current'],
  ['no upload', [[], { registerSiteFile: null }], 'the target says that it has no registerSiteFile'],
  ['a key without the scope', [['reader']], 'upload needs a key with siteFile:write'],
  ['a revoked key', [['old']], 'acme has no usable key old; it has'],
])('%s is refused', (_, given, problem) => {
  expect(() => uploading(...given)).toThrow(problem);
});
