import { test } from 'partnerkit/vitest';
import { expect } from 'vitest';

test('another file has another tenant, whose conversation carries what the fixture says', async ({ partner }) => {
  const conversation = partner.conversations.open;
  const headers = { 'x-api-key': partner.apiKey };
  const context = await (await fetch(`${partner.url}/v1/conversation/${conversation}/context`, { headers })).json();
  expect(partner.name).not.toBe('acme');
  expect(context.labels).toEqual(['vip', 'warranty']);
});

test('a clock that a test moved', async ({ partner }) => {
  await partner.clock.advance('30d');
  expect(await partner.clock.now()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
});

test('is right again in the next', async ({ partner }) => {
  expect(await partner.clock.now()).toBeLessThan(Date.now() + 60_000);
});
