import { expect } from 'vitest';
import { acme, test } from './partner-test.ts';

test('the context of a conversation has its messages, people and sites', async ({ partner }) => {
  const context = await partner.client.context(partner.id(acme.conversation));
  expect(context.messages.length).toBeGreaterThan(0);
  expect(context.participants.clients[0]).toMatchObject({ name: expect.any(String) });
  expect(context.sites.map(({ id }: { id: string }) => id)).toContain(partner.id(acme.site));
});
