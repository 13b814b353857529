import { expect, test } from 'vitest';
import type { TargetInput } from '../../spec/files/target.ts';
import type { Scope } from '../../spec/operations.ts';
import { normalTarget } from './normal-target.ts';
import { uploadWork } from './upload-work.ts';

const key = (name: string, scopes: Scope[], more = {}) => ({ name, secret: `secret-of-${name}`, scopes, ...more });
const keys = [
  key('limits', ['siteFile:write'], { use: 'limits' }),
  key('old', ['siteFile:write'], { revoked: true }),
  key('reader', ['site:read']),
  key('files', ['siteFile:write']),
];
const work = (
  names: string[] = [],
  operations: TargetInput['operations'] = {},
  sites: object = { current: 'ovaid-1' },
) =>
  uploadWork(
    normalTarget({ baseUrl: 'http://localhost', operations, tenants: [{ name: 'acme', keys, sites }] }, ''),
    names,
  );

test('takes a free key that may upload, and makes the requests of the contract with the site of the target file', () => {
  const { key, start, register } = work();
  expect(key.name).toBe('files');
  expect([start.operationId, start.method, start.path]).toEqual([
    'startSiteFileUpload',
    'POST',
    '/v1/site/ovaid-1/file/upload-url',
  ]);
  expect([register.operationId, register.method, register.path]).toEqual([
    'registerSiteFile',
    'POST',
    '/v1/site/ovaid-1/file',
  ]);
  expect(work(['limits']).key.name).toBe('limits');
});

test.each<[string, Parameters<typeof work>, string]>([
  ['no site', [[], {}, {}], 'upload needs tenants[0].sites.current'],
  ['no upload', [[], { registerSiteFile: null }], 'the target says that it has no registerSiteFile'],
  ['a key without the scope', [['reader']], 'upload needs a key with siteFile:write'],
  ['a revoked key', [['old']], 'upload needs a key with siteFile:write'],
])('%s is refused', (_, given, problem) => {
  expect(() => work(...given)).toThrow(problem);
});
