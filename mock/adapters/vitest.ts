import { test as base, inject } from 'vitest';
import { remoteTenant } from './remote-tenant.ts';
import type {} from './vitest-setup.ts';

export type { PartnerTenant } from './remote-tenant.ts';

/**
 * vitest's `test` with a tenant: `partner` is a copy of acme that belongs to this file alone, so that no worker meets the
 * data or the rate limit of another. Needs the global set-up `partnerkit/vitest/setup`.
 */
export const test = base
  .extend('partnerkitUrl', { scope: 'file' }, () => {
    const url = inject('partnerkitUrl');
    if (url !== undefined) return url;
    throw new Error('partnerkit/vitest: no mock runs; add globalSetup: "partnerkit/vitest/setup" to the vitest config');
  })
  .extend('partner', { scope: 'file' }, async ({ partnerkitUrl }, { onCleanup }) => {
    const tenant = await remoteTenant(partnerkitUrl);
    onCleanup(() => tenant[Symbol.asyncDispose]());
    return tenant;
  });
