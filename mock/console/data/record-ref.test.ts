import { describe, expect, it } from 'vitest';
import type { TenantData } from '../control/control.ts';
import { recordName, recordRef, refAt } from './record-ref.ts';

describe('the address of a record', () => {
  it.each([
    recordRef('conversation', 'c1'),
    recordRef('site', 'a/b 1'),
    recordRef('client', 'ovcid-1'),
    recordRef('link', 'ovcid-1', '10042'),
    recordRef('file', 'f1'),
  ])('$path leads back to it', (ref) => {
    expect(refAt(ref.path)).toEqual(ref);
  });

  it.each([null, '', 'site', 'site/', 'site/1/2', 'client/1/site/', 'user/1', 'site/%zz'])(
    '%s is not the address of a record',
    (path) => {
      expect(refAt(path)).toBeNull();
    },
  );
});

it('shows the name of a record, or its id if it has no name', () => {
  const records = {
    conversations: [{ id: 'c1', subject: null, friendlyId: 'C-1' }],
    sites: [{ id: 's1', businessName: null, address1: '1 Main St' }],
    clients: [{ id: 'k1', name: 'Ann' }],
    labels: [],
  };
  const name = (ref: Parameters<typeof recordName>[1]) => recordName({ records } as unknown as TenantData, ref);
  expect([
    name(recordRef('conversation', 'c1')),
    name(recordRef('link', 'k1', 's1')),
    name(recordRef('site', 'unknown')),
  ]).toEqual(['C-1', 'Ann at 1 Main St', 'unknown']);
});
