import { test } from 'partnerkit/vitest';
import { expect } from 'vitest';

test('a label that is applied is in the context', async ({ partner }) => {
  const headers = { 'x-api-key': partner.keys.full };
  const path = `${partner.url}/v1/conversation/${partner.conversations.open}`;
  const applied = await fetch(`${path}/label/${partner.labels.spare}`, { method: 'PUT', headers });
  expect(applied.status).toBe(200);
  const context = await (await fetch(`${path}/context`, { headers })).json();
  expect(context.labels).toContain('spare');
  await partner.journal.verifySequence([
    { operationId: 'applyConversationLabel', status: 200 },
    { operationId: 'getConversationContext' },
  ]);
});

test('the next test does not see that label', async ({ partner }) => {
  expect(await partner.journal.list()).toEqual([]);
  const url = `${partner.url}/v1/conversation/${partner.conversations.open}/context`;
  const context = await (await fetch(url, { headers: { 'x-api-key': partner.apiKey } })).json();
  expect(context.labels).not.toContain('spare');
  await partner.journal.verify({ operationId: 'getConversationContext' }, 1);
});

test('a fault affects this tenant, and an unused fault is reported', async ({ partner }) => {
  await partner.faults.add({ operationId: 'listLabels', reply: { status: 503 }, times: 1 });
  await expect(partner.faults.verifyUsed()).rejects.toThrow('1 of 1 faults affected no request');
  const ask = () => fetch(`${partner.url}/v1/labels`, { headers: { 'x-api-key': partner.apiKey } });
  expect([(await ask()).status, (await ask()).status]).toEqual([503, 200]);
  await partner.faults.verifyUsed();
  await expect(partner.journal.verify({ operationId: 'listLabels', status: 200 }, 2)).rejects.toThrow(
    'expected exactly 2, found 1',
  );
});

test('a misspelt name is refused', async ({ partner }) => {
  const misspelt = { operationId: 'listLables' as 'listLabels' };
  await expect(partner.journal.verify(misspelt, 1)).rejects.toThrow('did you mean "listLabels"?');
  await expect(partner.faults.add({ ...misspelt, drop: 'before' })).rejects.toThrow('did you mean "listLabels"?');
});
