import { test } from 'partnerkit/vitest';
import { expect } from 'vitest';

const [conversation, label] = ['c0000001-0000-4000-8000-000000000001', '1abe1008-0000-4000-8000-000000000008'];

test('a label that is applied is in the context', async ({ partner: { url, apiKey, id } }) => {
  const headers = { 'x-api-key': apiKey };
  const path = `${url}/v1/conversation/${id(conversation)}`;
  const applied = await fetch(`${path}/label/${id(label)}`, { method: 'PUT', headers });
  expect(applied.status).toBe(200);
  const context = await (await fetch(`${path}/context`, { headers })).json();
  expect(context.labels).toContain('spare');
});
