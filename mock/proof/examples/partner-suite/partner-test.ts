import { setupServer } from 'msw/node';
import { type ClonedAcme, createMock } from 'partnerkit';
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
  /** A copy of the tenant acme that no other test knows. Its records have names: `tenant.conversations.open`. */
  readonly tenant: ClonedAcme;
  readonly client: PartnerClient;
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
    await use({ tenant, client });
    mock.tenants.remove(tenant.name);
  },
});
