import { expect, it } from 'vitest';
import { createMock } from '../create-mock.ts';

it('refuses a path with half a surrogate pair, which cannot be signed, and does not throw', async () => {
  const mock = await createMock();
  const url = '/storage/acme/\ud800?X-Amz-Date=20260101T000000Z&X-Amz-Signature=0&X-Amz-Credential=0&X-Amz-Expires=300';
  const request = { method: 'PUT', url: `${url}&X-Amz-Algorithm=AWS4-HMAC-SHA256`, headers: {}, body: null };
  const reply = await mock.handle({ ...request, origin: 'http://mock.test' });
  expect([reply.status, reply.body]).toEqual([400, expect.stringContaining('<Code>InvalidURI</Code>')]);
});
