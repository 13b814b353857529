import { expect, it } from 'vitest';
import type { TargetTenant } from '../control/reads.ts';
import { pathValues } from './prefill.ts';

const tenant: TargetTenant = {
  name: 'acme',
  keys: [],
  conversations: { open: 'c1' },
  sites: { legacy: '10042' },
  clientSite: { client: 'ovcid-1', site: 's1' },
  spareLabel: { id: 'l1', name: 'spare' },
};

it('fills path parameters with what the tenant has', () => {
  expect(pathValues('applyConversationLabel', ['id', 'labelId'], tenant)).toEqual({ id: 'c1', labelId: 'l1' });
  expect(pathValues('getSite', ['id'], tenant)).toEqual({ id: '10042' });
  expect(pathValues('getClient', ['id'], tenant)).toEqual({ id: 'ovcid-1' });
  expect(pathValues('removeClientSiteLabel', ['clientId', 'siteId', 'labelId'], tenant)).toEqual({
    clientId: 'ovcid-1',
    siteId: 's1',
    labelId: 'l1',
  });
  const labels = [
    { id: 'p1', name: 'hidden', visibility: 'private' },
    { id: 'l2', name: 'vip', visibility: 'public' },
  ] as const;
  const { spareLabel: _, ...without } = tenant;
  expect(pathValues('applySiteLabel', ['labelId'], without, labels)).toEqual({ labelId: 'l2' });
  expect(pathValues('applySiteLabel', ['labelId'], tenant, labels)).toEqual({ labelId: 'l1' });
  expect(pathValues('getSite', ['id'], undefined)).toEqual({ id: '' });
});
