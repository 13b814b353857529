import { test as base } from '@playwright/test';
import { createServedMock, type Mock } from './create-served-mock.ts';
import { type PartnerTenant, remoteTenant } from './remote-tenant.ts';

export { expect } from '@playwright/test';
export type { PartnerTenant } from './remote-tenant.ts';

/** A mock with the address at which it is served. */
export type PartnerMock = Mock & { readonly url: string };

/**
 * Playwright's `test` with a mock and a tenant: `partnerMock` is one mock on a free port for each worker (its clock, journal
 * and faults are at hand), `partner` a copy of acme that belongs to one test alone.
 */
export const test = base.extend<{ partner: PartnerTenant }, { partnerMock: PartnerMock }>({
  partnerMock: [
    async ({ browserName: _ }, use) => {
      await using mock = await createServedMock();
      const { url } = await mock.listen({ port: 0 });
      await use({ ...mock, url });
    },
    { scope: 'worker' },
  ],
  partner: async ({ partnerMock }, use) => {
    await using tenant = await remoteTenant(partnerMock.url);
    await use(tenant);
  },
});
