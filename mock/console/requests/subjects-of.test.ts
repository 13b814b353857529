import { expect, it } from 'vitest';
import { nameKey } from '../control/reads.ts';
import { subjectsOf } from './subjects-of.ts';

const label = '1abe1008-0000-4000-8000-000000000008';
const names = new Map([
  [nameKey('acme', '10042'), 'Pump house'],
  [nameKey('globex', label), 'vip'],
]);
const subjects = (url: string, tenant: string | null = 'acme', operationId: string | null = 'getSite') =>
  subjectsOf({ tenant, operationId, request: { method: 'GET', url, headers: {}, body: null } }, names);

it('finds the records of a path, with their names if they have one', () => {
  expect(subjects(`/v1/site/10042/label/${label}?site=10042`)).toEqual([
    { id: '10042', short: '10042', name: 'Pump house' },
    { id: label, short: '…0008', name: undefined },
  ]);
});

it('uses only the names of the tenant that the key belongs to', () => {
  expect(subjects(`/v1/site/10042/label/${label}`, 'globex')).toEqual([{ id: label, short: '…0008', name: 'vip' }]);
  expect(subjects('/v1/site/10042', null)).toEqual([]);
});

it('names only what has a name where the path is shown, as of an upload', () => {
  expect(subjects(`/storage/acme/${label}/10042`, 'acme', null)).toEqual([
    { id: '10042', short: '10042', name: 'Pump house' },
  ]);
});

it('does not decode an invalid path', () => {
  expect(subjects('/v1/site/%zz')).toEqual([]);
});
