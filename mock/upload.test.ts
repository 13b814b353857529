import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from './clock.ts';
import { createMock, type Mock } from './create-mock.ts';
import { acme } from './proof/acme.ts';
import { contractClient } from './proof/contract-client.ts';
import { memoryFiles } from './storage/files.ts';

let mock: Mock;
let now: number;
let client: ReturnType<typeof contractClient>;
beforeEach(async () => {
  now = Date.parse('2026-11-21T10:00:00Z');
  mock = await createMock({ rateLimit: false, files: memoryFiles(), clock: createClock(() => now) });
  client = contractClient(mock, acme.full);
});
afterEach(() => mock.close());

const site = { id: acme.site };
const start = (contentType = 'image/png') =>
  client.call('startSiteFileUpload', { params: site, body: { contentType } });
const register = (fileKey: string, more = {}) =>
  client.call('registerSiteFile', { params: site, body: { fileKey, ...more } });
const put = (url: string, contentType: string, body: string | Uint8Array = 'bytes') => {
  const { pathname, search } = new URL(url);
  return client.send('PUT', pathname + search, { key: undefined, body, headers: { 'content-type': contentType } });
};
const filesOfSite = () =>
  [...(mock.tenants.get('acme')?.files.values() ?? [])].filter(({ registered }) => registered !== null);

async function bytesOf(fileKey: string) {
  let text = '';
  for await (const chunk of mock.files.read(fileKey) ?? []) text += new TextDecoder().decode(chunk);
  return text;
}

describe('the upload flow', () => {
  it('upload/nothing-stored-before-registration: start, PUT, register; the file is there after the third step', async () => {
    const { status, body } = await start();
    expect(status).toBe(201);
    expect(Date.parse(body.uploadUrlExpiresAt) - now).toBe(300_000);
    const stored = await put(body.uploadUrl, 'image/png', 'picture');
    expect([stored.status, stored.headers.etag]).toEqual([200, '"5456fc54c74a297ce994998c2873b370"']);
    expect(filesOfSite()).toEqual([]);
    const registered = await register(body.fileKey, { name: 'boiler.png', colour: 'ignored' });
    expect([registered.status, registered.body]).toEqual([
      201,
      {
        fileKey: body.fileKey,
        siteId: acme.site,
        name: 'boiler.png',
        contentType: 'image/png',
        size: 7,
        createdAt: '2026-11-21T10:00:00.000Z',
      },
    ]);
    expect(filesOfSite().map(({ fileKey }) => fileKey)).toEqual([body.fileKey]);
    expect(await bytesOf(body.fileKey)).toBe('picture');
  });

  it('issues a new fileKey each time', async () => {
    expect((await start()).body.fileKey).not.toBe((await start()).body.fileKey);
  });

  it('refuses registration before the bytes came, twice, and of an unknown or malformed key', async () => {
    const { fileKey, uploadUrl } = (await start()).body;
    expect((await register(fileKey)).body.error.code).toBe('UNPROCESSABLE_ENTITY');
    await put(uploadUrl, 'image/png');
    expect((await register(fileKey)).status).toBe(201);
    expect((await register(fileKey)).body.error.code).toBe('CONFLICT');
    expect((await register('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await register('nope')).body.error.message).toBe('body.fileKey must be a UUID.');
    expect((await client.call('registerSiteFile', { params: site, body: {} })).body.error.message).toBe(
      'body.fileKey is required.',
    );
  });

  it('takes the bytes again before the URL expires: the last ones count', async () => {
    const { fileKey, uploadUrl } = (await start()).body;
    await put(uploadUrl, 'image/png', 'first version');
    await put(uploadUrl, 'image/png', 'second');
    expect((await register(fileKey)).body.size).toBe(6);
    expect(await bytesOf(fileKey)).toBe('second');
  });

  it('keeps the bytes of a registered file, whether a later PUT begins after the registration or before it', async () => {
    const { fileKey, uploadUrl } = (await start()).body;
    await put(uploadUrl, 'image/png', 'first version');
    let arrive = () => {};
    const body = (async function* () {
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      yield new TextEncoder().encode('second');
    })();
    const { pathname, search } = new URL(uploadUrl);
    const request = { method: 'PUT', url: pathname + search, headers: { 'content-type': 'image/png' } };
    const slow = mock.handle({ ...request, origin: 'http://mock.test', body });
    await register(fileKey);
    arrive();
    const refused = { status: 403, body: expect.stringContaining('<Code>AccessDenied</Code><Message>The file is reg') };
    expect(await slow).toMatchObject(refused);
    expect((await put(uploadUrl, 'image/png', 'third')).status).toBe(403);
    expect(await bytesOf(fileKey)).toBe('first version');
    expect(mock.files.get(fileKey)).toMatchObject({ state: 'registered', size: 13 });
  });

  it('takes the bytes once after the registration, where a profile has it first', async () => {
    mock = await createMock({
      rateLimit: false,
      files: memoryFiles(),
      profile: { upload: { registerBeforePut: { status: 201 } } },
    });
    client = contractClient(mock, acme.full);
    const { fileKey, uploadUrl } = (await start()).body;
    expect((await register(fileKey)).status).toBe(201);
    expect((await put(uploadUrl, 'image/png', 'the bytes')).status).toBe(200);
    expect((await put(uploadUrl, 'image/png', 'others')).status).toBe(403);
    expect(await bytesOf(fileKey)).toBe('the bytes');
  });

  it('needs no key, counts against no bucket, and does not accept a path that was not signed', async () => {
    const { uploadUrl } = (await start()).body;
    const { pathname } = new URL(uploadUrl);
    expect((await put(`http://mock.test${pathname}`, 'image/png')).status).toBe(403);
  });
});

describe('the storage target', () => {
  it('refuses an expired URL, in the words of an object store, and keeps nothing', async () => {
    const { fileKey, uploadUrl } = (await start()).body;
    mock.clock.advance('5m');
    const refused = await put(uploadUrl, 'image/png');
    expect([refused.status, refused.headers['content-type']]).toEqual([403, 'application/xml']);
    expect(refused.text).toContain('<Code>AccessDenied</Code><Message>Request has expired</Message>');
    expect((await register(fileKey)).status).toBe(422);
  });

  it.each(['image/jpeg', 'image/png; charset=utf-8', 'image/pn', ''])(
    'refuses Content-Type "%s" for image/png',
    async (contentType) => {
      const { fileKey, uploadUrl } = (await start()).body;
      const refused = await put(uploadUrl, contentType);
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining('<Code>SignatureDoesNotMatch</Code>'),
      ]);
      expect((await register(fileKey)).status).toBe(422);
    },
  );

  it('takes nothing but PUT, and escapes what it repeats', async () => {
    const { pathname, search } = new URL((await start()).body.uploadUrl);
    const refused = await client.send('G<E>T', pathname + search);
    expect([refused.status, refused.headers.allow]).toEqual([405, 'PUT']);
    expect(refused.text).toContain('<Method>G&lt;E&gt;T</Method>');
  });

  it('signs for the public address where one is given, and takes it there', async () => {
    const behind = await createMock({ publicUrl: 'https://files.example.com', files: memoryFiles() });
    const reached = contractClient(behind, acme.full);
    const answer = await reached.call('startSiteFileUpload', { params: site, body: { contentType: 'a/b' } });
    const { origin, pathname, search } = new URL(answer.body.uploadUrl);
    expect(origin).toBe('https://files.example.com');
    // The Host header that arrives is the proxy's own choice.
    const headers = { 'content-type': 'a/b' };
    expect((await reached.send('PUT', pathname + search, { body: 'x', headers })).status).toBe(200);
    headers['content-type'] = 'a/c';
    expect((await reached.send('PUT', pathname + search, { body: 'x', headers })).status).toBe(403);
  });
});

describe('the request body', () => {
  const refused = async (body: unknown, headers = {}) => {
    const answer = await client.call('startSiteFileUpload', { params: site, body, headers });
    return [answer.status, answer.body.error.message];
  };

  it.each([
    [{}, 'body.contentType is required.'],
    [{ contentType: '' }, 'body.contentType must not be empty.'],
    [{ contentType: 7 }, 'body.contentType must be a string.'],
    [{ contentType: null }, 'body.contentType must be a string.'],
    [{ contentType: 'a/b', extra: 1 }, 'body.extra is not allowed.'],
    ['{"contentType":"a/b","__proto__":1}', 'body.__proto__ is not allowed.'],
    [[], 'body must be an object.'],
    ['null', 'body must be an object.'],
    ['"a/b"', 'body must be an object.'],
  ])('%j is 400: %s', async (body, message) => {
    expect(await refused(body)).toEqual([400, message]);
  });

  it.each(['', '{', '{"contentType":"a/b"', 'contentType=a/b', '[1,', new Uint8Array([0x22, 0xff, 0x22])])(
    'malformed JSON (%j) is 400',
    async (body) => {
      expect(await refused(body)).toEqual([400, expect.stringMatching(/^body: not valid JSON/)]);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/json; charset=latin1'])(
    'declared as %s is 415',
    async (contentType) => {
      expect(await refused({ contentType: 'a/b' }, { 'content-type': contentType })).toEqual([
        415,
        expect.stringContaining(contentType),
      ]);
    },
  );

  it.each(['application/json', 'application/json; charset=UTF-8', 'Application/JSON', 'application/vnd.api+json'])(
    'declared as %s is taken',
    async (contentType) => {
      const { status } = await client.call('startSiteFileUpload', {
        params: site,
        body: { contentType: 'a/b' },
        headers: { 'content-type': contentType },
      });
      expect(status).toBe(201);
    },
  );

  it.each([
    ['a control character', 'image/png\n'],
    ['a tab', 'image/\tpng'],
    ['an injected header', 'image/png\r\nx-evil: 1'],
    ['the character 0', 'image/\0png'],
    ['DEL', 'image/png\x7f'],
    ['Latin-1', 'image/pñg'],
    ['a Unicode line break', 'image/png\u2028'],
    ['an emoji', 'image/🖼'],
    ['nothing but blanks', '  '],
    ['20 KB', `image/${'a'.repeat(20_000)}`],
  ])('with %s in contentType is 400, because no Content-Type header could match the URL', async (_, contentType) => {
    expect(await refused({ contentType })).toEqual([400, expect.stringContaining('body.contentType must')]);
    expect(mock.files.list()).toEqual([]);
  });

  it('may name any content type that a header can carry', async () => {
    for (const contentType of ['x', 'image/png; name="a b"', `image/${'a'.repeat(4_000)}`]) {
      const { uploadUrl } = (await start(contentType)).body;
      expect((await put(uploadUrl, contentType)).status).toBe(200);
    }
  });

  it.each(['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'identity, gzip', 'aws-chunked'])(
    'encoded as %s, truly or not, is 415 and says what is read',
    async (encoding) => {
      const text = JSON.stringify({ contentType: 'a/b' });
      for (const body of [text, gzipSync(text)]) {
        const { status, headers } = await client.call('startSiteFileUpload', {
          params: site,
          body,
          headers: { 'content-encoding': encoding },
        });
        expect([status, headers['accept-encoding']]).toEqual([415, 'identity']);
      }
      expect(mock.files.list()).toEqual([]);
    },
  );

  it('may say that it has no encoding', async () => {
    const headers = { 'content-encoding': 'identity' };
    const body = { contentType: 'a/b' };
    expect((await client.call('startSiteFileUpload', { params: site, body, headers })).status).toBe(201);
  });

  it('missing altogether is 400', async () => {
    const { status, body } = await client.send('POST', `/v1/site/${acme.site}/file/upload-url`);
    expect([status, body.error.message]).toEqual([400, 'body: a JSON body is required.']);
  });

  it('of exactly 10 MiB passes the limit, one byte more does not, announced or not', async () => {
    const limit = 10 * 1024 * 1024;
    const padded = (size: number) => `{"contentType":"a/b"${' '.repeat(size - 21)}}`;
    const send = (size: number, headers: Record<string, string>) =>
      client.call('startSiteFileUpload', { params: site, body: padded(size), headers });
    expect((await send(limit, {})).status).toBe(201);
    expect((await send(limit + 1, {})).status).toBe(413);
    expect((await send(limit + 1, { 'content-length': '' })).status).toBe(413);
  });
});

describe('paths', () => {
  it.each([
    ['GET', '/v1/nothing', 404, undefined],
    ['GET', '/v2/labels', 404, undefined],
    ['GET', '/v1/site//file', 404, undefined],
    ['POST', '/v1/labels', 405, 'GET, HEAD'],
    ['HEAD', `/v1/site/${acme.site}/label/${acme.vip}`, 405, 'DELETE, PUT'],
    ['GET', `/v1/site/${acme.site}/label/${acme.vip}`, 405, 'DELETE, PUT'],
    ['GET', '/v1/client/%zz', 400, undefined],
    ['GET', '/v1/client/%C0%80', 400, undefined],
  ])('%s %s is %d', async (method, path, status, allow) => {
    const answer = await client.send(method, path);
    expect([answer.status, answer.headers.allow]).toEqual([status, allow]);
  });

  it.each(['/v1/l%61bels', '/%761/labels', '/v%31/labels?x=%61', '/v1/%6Cabel%73'])(
    '%s is /v1/labels',
    async (path) => {
      mock.faults.add({ path: '/v1/labels', method: 'GET', reply: { status: 503 }, times: 1 });
      expect([(await client.send('GET', path)).status, (await client.send('GET', path)).status]).toEqual([503, 200]);
      mock.journal.verify({ path: '/v1/labels', operationId: 'listLabels' }, 2);
      expect(mock.journal.list().map(({ request }) => request.url)).toEqual([path, path]);
    },
  );

  it('an upload URL may have more encoded than it needs, but no other path', async () => {
    const { uploadUrl } = (await start()).body;
    const encoded = (path: string) => uploadUrl.replace('/storage/acme/', path);
    expect((await put(encoded('/%73torage/a%63me/'), 'image/png', 'x')).status).toBe(200);
    expect((await put(encoded('/storage/acme%2F'), 'image/png', 'x')).status).toBe(403);
  });

  it('HEAD has the status and headers of GET, the length of its body, and no body', async () => {
    for (const path of ['/v1/health', `/v1/client/${acme.client}`, '/v1/client/no-client', '/v1/nothing']) {
      const [head, get] = [await client.send('HEAD', path), await client.send('GET', path)];
      const length = String(new TextEncoder().encode(get.text).length);
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.headers).toEqual({ ...get.headers, 'content-length': length });
    }
    mock.journal.verify({ operationId: 'getClient', method: 'HEAD', status: 200 }, 1);
    expect(mock.journal.list({ method: 'HEAD' }).map(({ reply }) => reply.body)).toEqual([null, null, null, null]);
  });
});

it('bounds the bytes of all files, answers 507 beyond, and keeps the stored files', async () => {
  mock = await createMock({ rateLimit: false, files: memoryFiles(), storageLimit: 10 });
  client = contractClient(mock, acme.full);
  const [first, second] = [(await start()).body, (await start()).body];
  expect((await put(first.uploadUrl, 'image/png', '12345678')).status).toBe(200);
  const refused = await put(second.uploadUrl, 'image/png', '123');
  expect(refused.status).toBe(507);
  expect(refused.text).toContain('all uploaded files together may have at most 10 bytes');
  expect((await register(second.fileKey)).status).toBe(422);
  expect(await bytesOf(first.fileKey)).toBe('12345678');
  mock.reset('acme');
  expect((await put((await start()).body.uploadUrl, 'image/png', '1234567890')).status).toBe(200);
});

it('counts uploads under way, and forgets those that broke off', async () => {
  mock = await createMock({ rateLimit: false, files: memoryFiles(), storageLimit: 10 });
  client = contractClient(mock, acme.full);
  const [first, second] = [(await start()).body, (await start()).body];
  const gate = Promise.withResolvers<void>();
  const slow = (async function* () {
    yield new Uint8Array(8);
    await gate.promise;
    throw Object.assign(new Error('broke off'), { code: 'ECONNRESET' });
  })();
  const { pathname, search, origin } = new URL(first.uploadUrl);
  const headers = { 'content-type': 'image/png', 'content-length': '9' };
  const broken = mock.handle({ method: 'PUT', url: pathname + search, origin, headers, body: slow });
  await new Promise((resolve) => setImmediate(resolve));
  expect((await put(second.uploadUrl, 'image/png', '123')).status).toBe(507);
  gate.resolve();
  expect((await broken).status).toBe(400);
  expect((await put(second.uploadUrl, 'image/png', '1234567890')).status).toBe(200);
});

it('errors/internal-error: an internal error is 500 with the error body and no details', async () => {
  const errors: unknown[] = [];
  const broken = await createMock({ onError: (error) => errors.push(error) });
  const tenant = broken.tenants.get('acme');
  if (tenant === undefined) throw new Error('no acme');
  tenant.publicLabelsOf = () => {
    throw new Error('secret detail');
  };
  const { status, body, text } = await contractClient(broken, acme.full).call('applySiteLabel', {
    params: { ...site, labelId: acme.vip },
  });
  expect([status, body.error.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
  expect(text).not.toContain('secret detail');
  expect(errors).toHaveLength(1);
});

it('answers an invalid URL with an error, and throws nothing', async () => {
  const put = { method: 'PUT', url: '/storage/acme/x', origin: 'http://', headers: {}, body: null };
  expect(await mock.handle(put)).toMatchObject({ status: 400, body: expect.stringContaining('InvalidURI') });
});
