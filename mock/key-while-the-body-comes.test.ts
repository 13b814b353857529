import { expect, it } from 'vitest';
import { createMock, type Mock } from './create-mock.ts';
import { acme } from './proof/acme.ts';

/** Starts an upload with a body of which the second half comes when told to. */
function slowly(mock: Mock, secret: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const body = (async function* () {
    yield new TextEncoder().encode('{"contentType":');
    await promise;
    yield new TextEncoder().encode('"text/plain"}');
  })();
  const headers = { 'x-api-key': secret, 'content-type': 'application/json' };
  const url = `/v1/site/${acme.site}/file/upload-url`;
  const reply = mock.handle({ method: 'POST', url, headers, origin: 'http://mock.test', body });
  return { reply, sendTheRest: resolve };
}

it('a key that is revoked while its request body arrives starts no upload', async () => {
  const mock = await createMock();
  const { key, secret } = mock.keys.create('acme', { name: 'made', scopes: ['siteFile:write'] });
  const { reply, sendTheRest } = slowly(mock, secret);
  mock.keys.revoke(key.id);
  sendTheRest();
  expect((await reply).status).toBe(403);
  expect(mock.files.list()).toEqual([]);
});

it('a key that a restored snapshot does not have starts no upload in the new state', async () => {
  const mock = await createMock();
  const snapshot = await mock.snapshot();
  const { secret } = mock.keys.create('acme', { name: 'made', scopes: ['siteFile:write'] });
  const { reply, sendTheRest } = slowly(mock, secret);
  await mock.restore(snapshot);
  sendTheRest();
  expect((await reply).status).toBe(403);
  expect(mock.files.list()).toEqual([]);
});

it('a key that is in the restored snapshot as well is served', async () => {
  const mock = await createMock();
  const { reply, sendTheRest } = slowly(mock, acme.full);
  await mock.restore(await mock.snapshot());
  sendTheRest();
  expect((await reply).status).toBe(201);
});
