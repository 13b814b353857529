import { expect, it } from 'vitest';
import { nameKey } from '../../control/record-names.ts';
import { subjectsOf } from './subjects-of.ts';

const label = '1abe1008-0000-4000-8000-000000000008';
const names = new Map([
  [nameKey('acme', '10042'), 'Pump house'],
  [nameKey('globex', label), 'vip'],
]);
const subjects = (url: string, tenant: string | null = 'acme') =>
  subjectsOf({ tenant, request: { method: 'GET', url, headers: {}, body: null } }, names);

it('names the records of a path: by name, by the end of the id, or both', () => {
  expect(subjects(`/v1/site/10042/label/${label}?site=10042`)).toEqual([
    { id: '10042', short: '10042', name: 'Pump house' },
    { id: label, short: '…0008', name: undefined },
  ]);
});

it('knows the records of the tenant of the key, and of no other', () => {
  expect(subjects(`/v1/site/10042/label/${label}`, 'globex')).toEqual([{ id: label, short: '…0008', name: 'vip' }]);
  expect(subjects('/v1/site/10042', null)).toEqual([]);
});

it('takes a path that cannot be decoded as it is', () => {
  expect(subjects('/v1/site/%zz')).toEqual([]);
});
