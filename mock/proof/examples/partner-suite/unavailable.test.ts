import { expect } from 'vitest';
import { mock, test } from './partner-test.ts';

test('the client backs off while the API is unavailable', async ({ partner: { client, tenant } }) => {
  mock.faults.add({ tenant: tenant.name, reply: { status: 503, retryAfter: 2 }, times: 3 });
  await client.context(tenant.conversations.open);
  const attempts = mock.journal.list({ tenant: tenant.name });
  expect(attempts.map(({ reply }) => reply.status)).toEqual([503, 503, 503, 200]);
  const waits = attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0));
  for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(2000);
});

test('it waits longer each time, and gives up in the end', async ({ partner: { client, tenant } }) => {
  mock.faults.add({ tenant: tenant.name, reply: { status: 503, retryAfter: 0 } });
  await expect(client.labels()).rejects.toMatchObject({ status: 503 });
  const attempts = mock.journal.list({ tenant: tenant.name });
  const waits = attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0));
  expect(waits).toEqual([300, 600, 1200, 2400, 4800]);
});
