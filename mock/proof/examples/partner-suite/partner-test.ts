import { setupServer } from 'msw/node';
import { type ClonedTenant, createMock } from 'partnerkit';
import { partnerHandlers } from 'partnerkit/msw';
import { test as base } from 'vitest';
import { createPartnerClient, type PartnerClient } from './partner-client.ts';

/** Every test file has a mock to itself, behind msw or, with TRANSPORT=http, on a port. */
export const mock = await createMock();
// Time passes only where a test, or the client's back-off, says so.
mock.clock.freeze();
const baseUrl = process.env.TRANSPORT === 'http' ? (await mock.listen({ port: 0 })).url : interceptedUrl();

function interceptedUrl(): string {
  const url = 'https://connect.example.com';
  setupServer(...partnerHandlers(mock, { baseUrl: url })).listen({ onUnhandledFrame: 'error' });
  return url;
}

interface Partner {
  /** A copy of the tenant acme that no other test knows. */
  readonly tenant: ClonedTenant;
  readonly client: PartnerClient;
  /** The id that stands in this tenant for an id of acme. */
  id(original: string): string;
}

/** A test with a tenant of its own, and a client that waits by moving the clock of the mock: no test ever sleeps. */
export const test = base.extend<{ partner: Partner }>({
  partner: async ({ task }, use) => {
    const tenant = mock.tenants.create({ from: 'acme', name: `test${task.id.replaceAll(/[^a-z0-9]+/g, '-')}` });
    const client = createPartnerClient({
      baseUrl,
      apiKey: tenant.keys.full.secret,
      sleep: async (milliseconds) => mock.clock.advance(milliseconds),
      random: () => 0.5,
    });
    await use({ tenant, client, id: (original) => tenant.ids[original] ?? original });
    mock.tenants.remove(tenant.name);
  },
});

/** Some ids of the tenant acme, from fixtures/acme.yaml. */
export const acme = {
  conversation: 'c0000001-0000-4000-8000-000000000001',
  closedConversation: 'c0000002-0000-4000-8000-000000000002',
  site: 'ovaid-517e0001-0000-4000-8000-000000000001',
  legacySite: '10042',
  vip: '1abe1001-0000-4000-8000-000000000001',
  gateCode: '1abe1007-0000-4000-8000-000000000007',
} as const;
