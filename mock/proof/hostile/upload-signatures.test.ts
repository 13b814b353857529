import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createServedMock, type Mock } from '../../adapters/create-served-mock.ts';
import type { ListeningMock } from '../../adapters/node-http.ts';
import { createClock } from '../../clock.ts';
import { memoryFiles } from '../../storage/files.ts';
import { acme } from '../acme.ts';
import { type RawReply, rawConnection } from './raw-connection.ts';

let now: number;
let mock: Mock;
let server: ListeningMock;
const errors: unknown[] = [];
beforeAll(async () => {
  mock = await createServedMock({
    rateLimit: false,
    files: memoryFiles(),
    clock: createClock(() => now),
    onError: (error) => void errors.push(error),
  });
  server = await mock.listen({ port: 0 });
});
afterAll(() => mock.close());
beforeEach(() => {
  now = Date.parse('2026-11-21T10:00:00Z');
  mock.reset();
});

interface Upload {
  readonly fileKey: string;
  readonly url: URL;
}

async function start(contentType = 'text/plain'): Promise<Upload> {
  const reply = await fetch(`${server.url}/v1/site/${acme.site}/file/upload-url`, {
    method: 'POST',
    body: JSON.stringify({ contentType }),
    headers: { 'x-api-key': acme.full, 'content-type': 'application/json' },
  });
  const { fileKey, uploadUrl } = await reply.json();
  return { fileKey, url: new URL(uploadUrl) };
}

interface Put {
  readonly method?: string;
  /** Path and query, exactly as sent. */
  readonly target: string;
  readonly host: string;
  readonly contentType?: string;
  readonly headers?: string;
}

/** As raw as it gets: no client may tidy a path up or set another Host. */
async function put({ method = 'PUT', target, host, contentType = 'text/plain', headers = '' }: Put): Promise<RawReply> {
  using connection = await rawConnection(server.port);
  connection.write(
    `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: ${contentType}\r\ncontent-length: 4\r\n${headers}\r\nevil`,
  );
  const [reply] = await connection.replies(1);
  if (reply === undefined) throw new Error('no reply');
  return reply;
}

const targetOf = ({ url }: Upload) => url.pathname + url.search;
const asSigned = (upload: Upload): Put => ({ target: targetOf(upload), host: upload.url.host });

/** Nothing is stored anywhere, and the mock found nothing wrong with itself. */
function expectNothingStored() {
  expect(mock.files.list().filter(({ state }) => state !== 'started')).toEqual([]);
  expect(errors).toEqual([]);
}

const changed = (text: string, at: number) => text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);

describe('a signature', () => {
  it('that is not changed is accepted, so that the tests below prove something', async () => {
    const upload = await start();
    expect((await put(asSigned(upload))).status).toBe(200);
    expect(mock.files.get(upload.fileKey)).toMatchObject({ state: 'stored', size: 4 });
  });

  it('with any one of its characters changed is refused', async () => {
    const upload = await start();
    const target = targetOf(upload);
    const from = target.indexOf('X-Amz-Signature=') + 'X-Amz-Signature='.length;
    for (let at = from; at < target.length; at++) {
      expect((await put({ ...asSigned(upload), target: changed(target, at) })).status).toBe(403);
    }
    expectNothingStored();
  });

  it('is refused when any other character of the URL is changed', async () => {
    const upload = await start();
    const target = targetOf(upload);
    const end = target.indexOf('X-Amz-Signature=');
    for (let at = 0; at < end; at++) {
      const { status } = await put({ ...asSigned(upload), target: changed(target, at) });
      expect([400, 403, 404], changed(target, at)).toContain(status);
    }
    expectNothingStored();
  });

  it.each<[string, (upload: Upload) => Partial<Put>]>([
    ['without any', ({ url }) => ({ target: url.pathname })],
    [
      'made up',
      ({ url }) => ({ target: `${url.pathname}${url.search.replace(/Signature=\w+/, `Signature=${'0'.repeat(64)}`)}` }),
    ],
    ['cut short', (upload) => ({ target: targetOf(upload).slice(0, -1) })],
    ['empty', (upload) => ({ target: targetOf(upload).replace(/Signature=\w+/, 'Signature=') })],
    ['in capitals', (upload) => ({ target: targetOf(upload).replace(/Signature=\w+/, (text) => text.toUpperCase()) })],
    ['twice', (upload) => ({ target: `${targetOf(upload)}&X-Amz-Signature=0` })],
    ['with a longer life', (upload) => ({ target: targetOf(upload).replace('Expires=300', 'Expires=604800') })],
    ['with two lives', (upload) => ({ target: `${targetOf(upload)}&X-Amz-Expires=604800` })],
    ['with a later date', (upload) => ({ target: targetOf(upload).replace('T100000Z', 'T110000Z') })],
    ['with another scope', (upload) => ({ target: targetOf(upload).replace('local', 'other') })],
    ['with fewer signed headers', (upload) => ({ target: targetOf(upload).replace('content-type%3Bhost', 'host') })],
    ['with one parameter more', (upload) => ({ target: `${targetOf(upload)}&x-id=PutObject` })],
    [
      'as a header',
      ({ url }) => ({ target: url.pathname, headers: `authorization: AWS4-HMAC-SHA256 ${url.search.slice(1)}\r\n` }),
    ],
    ['of another host', () => ({ host: 'evil.example' })],
    ['of another port', () => ({ host: '127.0.0.1:1' })],
    [
      'of the host of a proxy it does not know',
      ({ url }) => ({ host: 'evil.example', headers: `x-forwarded-host: ${url.host}\r\n` }),
    ],
    ['for another content type', () => ({ contentType: 'text/html' })],
    ['for a content type with a parameter', () => ({ contentType: 'text/plain; charset=utf-8' })],
    ['for GET', () => ({ method: 'GET' })],
    ['for DELETE', () => ({ method: 'DELETE' })],
    ['for POST', () => ({ method: 'POST' })],
  ])('%s is refused, and nothing is stored', async (_, change) => {
    const upload = await start();
    const { status, headers, body } = await put({ ...asSigned(upload), ...change(upload) });
    expect([400, 403, 405]).toContain(status);
    expect(headers['content-type']).toBe('application/xml');
    expect(body).toMatch(/^<\?xml .*<Error><Code>\w+<\/Code>/s);
    expectNothingStored();
  });

  it('of another file is refused, be it of the same site or of another tenant', async () => {
    const [one, two] = [await start(), await start()];
    const { name } = mock.tenants.create({ from: 'acme' });
    for (const path of [
      two.url.pathname,
      one.url.pathname.replace('/acme/', `/${name}/`),
      '/storage/acme/',
      '/storage/',
    ]) {
      expect((await put({ ...asSigned(one), target: path + one.url.search })).status).toBe(403);
    }
    expectNothingStored();
  });

  it('of another mock is refused', async () => {
    await using other = await createServedMock({ files: memoryFiles(), clock: createClock(() => now) });
    const reply = await other.handle({
      method: 'POST',
      url: `/v1/site/${acme.site}/file/upload-url`,
      origin: server.url,
      headers: { 'x-api-key': acme.full, 'content-type': 'application/json' },
      body: new Blob(['{"contentType":"text/plain"}']).stream(),
    });
    const url = new URL(JSON.parse(reply.body ?? '').uploadUrl);
    expect((await put({ target: url.pathname + url.search, host: url.host })).status).toBe(403);
  });

  it('is valid to its last moment, and never again after it', async () => {
    const upload = await start();
    now += 299_999;
    expect((await put(asSigned(upload))).status).toBe(200);
    now += 1;
    const { status, body } = await put(asSigned(upload));
    expect([status, body]).toEqual([403, expect.stringContaining('Request has expired')]);
    now += 86_400_000;
    expect((await put(asSigned(upload))).status).toBe(403);
  });

  it('that is replayed stores only the last bytes, and none after a reset', async () => {
    const upload = await start();
    for (let time = 0; time < 5; time++) expect((await put(asSigned(upload))).status).toBe(200);
    expect(mock.files.list()).toHaveLength(1);
    mock.reset();
    expect((await put(asSigned(upload))).status).toBe(404);
    expectNothingStored();
  });
});

describe('a path', () => {
  const hostile = [
    '/storage/acme/../globex/KEY',
    '/storage/acme/../../etc/passwd',
    '/storage/../storage/acme/KEY',
    '/storage/acme/%2e%2e/acme/KEY',
    '/storage/acme%2fKEY',
    '/storage/acme/..%2f..%2f..%2fetc%2fpasswd',
    '/storage/acme/..\\..\\KEY',
    '/storage/acme/KEY/',
    '/storage/acme/KEY/.',
    '/storage/acme//KEY',
    '/storage//acme/KEY',
    '/storage/./acme/KEY',
    '/storage/acme/KEY%00.txt',
    '/storage/acme/KEY%0a',
    '/storage/ACME/KEY',
    '/storage/__proto__/KEY',
    '/storage/acme/__proto__',
    '/storage/acme/constructor',
    '/storage/acme/%zz',
    '/storage/',
    '/storage/acme',
    '/STORAGE/acme/KEY',
    '//storage/acme/KEY',
    'http://evil.example/storage/../storage/acme/KEY',
  ];

  it.each(hostile)('of %s stores nothing, whatever signature it has', async (path) => {
    const upload = await start();
    const target = path.replace('KEY', upload.fileKey);
    const { status } = await put({ ...asSigned(upload), target: target + upload.url.search });
    expect([400, 403, 404]).toContain(status);
    expectNothingStored();
  });

  it('cannot be chosen: the mock makes the key and the folder of a file, whatever the content type is', async () => {
    for (const contentType of ['../../etc/passwd', '/', '..', 'a/../b', '%2e%2e/x', 'a'.repeat(4_000)]) {
      const { url, fileKey } = await start(contentType);
      expect(url.pathname).toBe(`/storage/acme/${fileKey}`);
      expect(fileKey).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
