import { test as base } from '@playwright/test';
import { createServedMock, type Mock } from './create-served-mock.ts';
import { type PartnerTenant, remoteTenant } from './partner-tenant.ts';

export { expect } from '@playwright/test';
export type { AcmeIds, AcmeKey } from '../store/acme-records.ts';
export type { PartnerQuery, PartnerTenant } from './partner-tenant.ts';

/** A mock with the address at which it is served. */
export type PartnerMock = Mock & { readonly url: string };

/**
 * Playwright's `test` with a mock and a tenant. `partner` is a copy of acme for one test, with keys, records, faults and
 * journal of its own. `partnerMock` is the mock behind it; each worker has one, on a free port.
 *
 *     test('labels are shown', async ({ page, partner }) => {
 *       await page.goto(`/?api=${partner.url}&key=${partner.apiKey}&conversation=${partner.conversations.open}`);
 *       await partner.journal.verify({ operationId: 'getConversationContext' }, 1);
 *     });
 */
export const test = base.extend<{ partner: PartnerTenant }, { partnerMock: PartnerMock }>({
  partnerMock: [
    async ({ browserName: _ }, use) => {
      await using mock = await createServedMock();
      const { url } = await mock.listen({ port: 0, keepAlive: false });
      await use({ ...mock, url });
    },
    { scope: 'worker' },
  ],
  partner: async ({ partnerMock }, use) => {
    await using tenant = await remoteTenant(partnerMock.url);
    await use(tenant);
  },
});
