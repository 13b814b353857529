import { expect } from 'vitest';
import { test } from './partner-test.ts';

test('the context of a conversation has its messages, people and sites', async ({ partner }) => {
  const context = await partner.client.context(partner.tenant.conversations.open);
  expect(context.messages.length).toBeGreaterThan(0);
  expect(context.participants.clients[0]).toMatchObject({ name: expect.any(String) });
  expect(context.sites.map(({ id }: { id: string }) => id)).toContain(partner.tenant.sites.current);
});
