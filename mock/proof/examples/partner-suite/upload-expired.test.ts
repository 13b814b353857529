import { expect } from 'vitest';
import { mock, test } from './partner-test.ts';

test('an upload URL that expired while the file was read is asked for again', async ({
  partner: { client, tenant },
}) => {
  let reads = 0;
  const slow = async () => {
    if (++reads === 1) mock.clock.advance('5m');
    return new Uint8Array(1000);
  };
  const file = { name: 'slow.bin', contentType: 'application/octet-stream', read: slow };
  expect(await client.upload(tenant.sites.legacy, file)).toMatchObject({ size: 1000 });
  mock.journal.verify({ tenant: tenant.name, operationId: 'startSiteFileUpload', status: 201 }, 2);
  const puts = mock.journal.list({ tenant: tenant.name, method: 'PUT', path: '/storage/*' });
  expect(puts.map(({ reply }) => reply.status)).toEqual([403, 200]);
  expect(puts[0]?.reply.body?.text).toContain('Request has expired');
});
