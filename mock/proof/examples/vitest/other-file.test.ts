import { test } from 'partnerkit/vitest';
import { expect } from 'vitest';

test('another file has another tenant, whose conversation carries what the fixture says', async ({ partner }) => {
  const conversation = partner.id('c0000001-0000-4000-8000-000000000001');
  const headers = { 'x-api-key': partner.apiKey };
  const context = await (await fetch(`${partner.url}/v1/conversation/${conversation}/context`, { headers })).json();
  expect(partner.name).not.toBe('acme');
  expect(context.labels).toEqual(['vip', 'warranty']);
});
