import { expect } from 'vitest';
import { mock, test } from './partner-test.ts';

test('a burst over the rate is served in the end, each request after the wait it was told', async ({
  partner: { client, tenant },
}) => {
  await Promise.all(Array.from({ length: 25 }, () => client.labels()));
  mock.journal.verify({ tenant: tenant.name, status: 200 }, 25);
  const throttled = mock.journal.list({ tenant: tenant.name, status: 429 });
  expect(throttled.length).toBeGreaterThan(0);
  for (const { at, reply } of throttled) {
    const retryAfter = Number(reply.headers['retry-after']) * 1000;
    const next = mock.journal.list({ tenant: tenant.name, since: at + retryAfter });
    expect(next.length).toBeGreaterThan(0);
  }
});
