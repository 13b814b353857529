import { test as base, inject } from 'vitest';
import { type PartnerTenant, remoteTenant } from './partner-tenant.ts';
import type {} from './vitest-setup.ts';

export type { AcmeIds, AcmeKey } from '../store/acme-records.ts';
export type { PartnerQuery, PartnerTenant } from './partner-tenant.ts';

/**
 * vitest's `test` with a tenant: `partner` is a copy of acme that belongs to one test alone, with keys, records, faults and
 * journal of its own, so that no test meets the data, the rate limit or the leavings of another. Needs the global set-up
 * `partnerkit/vitest/setup`.
 *
 *     test('labels are listed', async ({ partner }) => {
 *       await listLabels({ baseUrl: partner.url, apiKey: partner.apiKey });
 *       await partner.journal.verify({ operationId: 'listLabels', status: 200 }, 1);
 *     });
 */
export const test = base.extend<{ partner: PartnerTenant }>({
  partner: async ({ task: _ }, use) => {
    const url = inject('partnerkitUrl');
    if (url === undefined) {
      throw new Error(
        'partnerkit/vitest: no mock runs; add globalSetup: "partnerkit/vitest/setup" to the vitest config',
      );
    }
    await using tenant = await remoteTenant(url);
    await use(tenant);
  },
});
