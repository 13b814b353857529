import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createServedMock, type Mock } from '../../adapters/create-served-mock.ts';
import type { ListeningMock } from '../../adapters/node-http.ts';
import { acme } from '../acme.ts';
import { rawConnection } from './raw-connection.ts';

let mock: Mock;
let server: ListeningMock;
const errors: unknown[] = [];
const onError = (error: unknown) => void errors.push(error);
beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(onError);
  mock = await createServedMock({ rateLimit: false, onError });
  server = await mock.listen({ port: 0 });
});
afterAll(() => mock.close());

const key = `x-api-key: ${acme.full}\r\n`;
const head = `host: x\r\n${key}`;
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${head}${more}\r\n`;
const start = `POST /v1/site/${acme.site}/file/upload-url HTTP/1.1\r\n${head}content-type: application/json\r\n`;
const body = '{"contentType":"a/b"}';
const chunked = (pieces: string, more = '') => `${start}transfer-encoding: chunked\r\n${more}\r\n${pieces}`;
const bytes = (text: string) => Buffer.from(text, 'latin1');
const health = get('/v1/health');

/** What a request is answered, and whether the connection takes another one afterwards. */
type Case = readonly [name: string, request: string | Uint8Array, status: number, after: 'next' | 'closed'];

const framing: Case[] = [
  ['a body on a GET', `${get('/v1/labels', 'content-length: 5\r\n')}hello`, 200, 'next'],
  [
    'a chunked body on a GET',
    `${get('/v1/labels', 'transfer-encoding: chunked\r\n')}2\r\nhi\r\n0\r\n\r\n`,
    200,
    'next',
  ],
  ['a chunked body', chunked(`15\r\n${body}\r\n0\r\n\r\n`), 201, 'next'],
  ['a chunk smaller than it says', chunked(`ff\r\n${body}\r\n0\r\n\r\n${' '.repeat(255)}`), 400, 'closed'],
  ['a chunk larger than it says', chunked(`2\r\n${body}\r\n0\r\n\r\n`), 400, 'closed'],
  ['a chunk size that is no number', chunked(`zz\r\n${body}\r\n0\r\n\r\n`), 400, 'closed'],
  ['a negative chunk size', chunked(`-5\r\n${body}\r\n0\r\n\r\n`), 400, 'closed'],
  ['a chunk size past 64 bits', chunked('fffffffffffffffff\r\n'), 400, 'closed'],
  ['a chunk extension of 20 KB', chunked(`15;${'a'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`), 413, 'closed'],
  ['trailers of 20 KB', chunked(`15\r\n${body}\r\n0\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`), 431, 'closed'],
  ['a length and chunks', chunked(`15\r\n${body}\r\n0\r\n\r\n`, 'content-length: 21\r\n'), 400, 'closed'],
  ['two lengths', `${start}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x`, 400, 'closed'],
  ['the same length twice', `${start}content-length: 2\r\ncontent-length: 2\r\n\r\n{}`, 400, 'closed'],
  ['a list of lengths', `${start}content-length: 2, 2\r\n\r\n{}`, 400, 'closed'],
  ['a negative length', `${start}content-length: -2\r\n\r\n{}`, 400, 'closed'],
  ['a hexadecimal length', `${start}content-length: 0x2\r\n\r\n{}`, 400, 'closed'],
  ['a length past 64 bits', `${start}content-length: 99999999999999999999\r\n\r\n{}`, 400, 'closed'],
  ['a length of 00', `${start}content-length: 00\r\n\r\n`, 400, 'next'],
  ['chunks within an unknown coding', `${start}transfer-encoding: chunked, x\r\n\r\n0\r\n\r\n`, 400, 'closed'],
  ['an unknown transfer coding', `${start}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`, 400, 'closed'],
];
const lines: Case[] = [
  ['a method that is none', `FOO /v1/labels HTTP/1.1\r\n${head}\r\n`, 400, 'closed'],
  ['TRACE', `TRACE /v1/labels HTTP/1.1\r\n${head}\r\n`, 405, 'next'],
  ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${head}\r\n`, 404, 'next'],
  ['an absolute target', get('http://elsewhere.example/v1/labels'), 200, 'next'],
  ['an absolute target without a path', get('http://elsewhere.example'), 404, 'next'],
  ['a target without a slash', get('v1/labels'), 400, 'closed'],
  ['an upgrade', get('/v1/health', 'connection: upgrade\r\nupgrade: websocket\r\n'), 200, 'next'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'closed'],
  ['a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex'), 400, 'closed'],
  ['HTTP/1.0', `GET /v1/labels HTTP/1.0\r\n${key}\r\n`, 200, 'closed'],
  ['HTTP/1.0 that stays', `GET /v1/labels HTTP/1.0\r\n${head}connection: keep-alive\r\n\r\n`, 200, 'next'],
  ['HTTP/9.9', `GET /v1/labels HTTP/9.9\r\n${head}\r\n`, 400, 'closed'],
  ['no Host', `GET /v1/labels HTTP/1.1\r\n${key}\r\n`, 400, 'closed'],
  ['a path of 20 KB', get(`/v1/${'a'.repeat(20_000)}`), 431, 'closed'],
  ['headers of 20 KB', get('/v1/health', `x-a: ${'a'.repeat(20_000)}\r\n`), 431, 'closed'],
  ['3,000 headers', get('/v1/health', 'a:b\r\n'.repeat(2_900)), 431, 'closed'],
  ['a header over two lines', get('/v1/health', 'x-a: b\r\n c\r\n'), 400, 'closed'],
  ['a blank before the colon', get('/v1/health', 'x-a : b\r\n'), 400, 'closed'],
  ['a CR within a header', get('/v1/health', 'x-a: b\rx-b: c\r\n'), 400, 'closed'],
  ['lines that end in LF alone', get('/v1/health').replaceAll('\r', ''), 400, 'closed'],
];
const characters: Case[] = [
  ['a NUL byte in the path', get('/v1/site/a\0b'), 400, 'closed'],
  ['a NUL byte in a header', get('/v1/health', 'x-a: a\0b\r\n'), 400, 'closed'],
  ['an encoded NUL in an id', get('/v1/site/a%00b'), 404, 'next'],
  ['invalid UTF-8 in the path', bytes(get('/v1/site/\xff\xfe')), 400, 'closed'],
  ['invalid UTF-8 in an id, encoded', get('/v1/site/%ff%fe'), 400, 'next'],
  ['an overlong encoding of a slash', get('/v1/site/%c0%af'), 400, 'next'],
  ['invalid UTF-8 in a header', bytes(get('/v1/health', 'x-a: \xff\xfe\r\n')), 200, 'next'],
  ['invalid UTF-8 in the key', bytes('GET /v1/labels HTTP/1.1\r\nhost: x\r\nx-api-key: \xff\xfe\r\n\r\n'), 403, 'next'],
  ['two keys, one of them right', get('/v1/labels', 'x-api-key: nobody\r\n'), 403, 'next'],
  ['the same key twice', get('/v1/labels', key), 403, 'next'],
  ['.. in a path', get('/v1/site/../labels'), 404, 'next'],
  ['.. to the control API', get('/v1/../_mock/keys'), 404, 'next'],
  ['an encoded .. as an id', get('/v1/site/%2e%2e'), 404, 'next'],
  ['an encoded slash in an id', get('/v1/site/..%2flabels'), 404, 'next'],
  ['a slash encoded twice', get('/v1/site/%252f..%252flabels'), 404, 'next'],
  ['a backslash in an id', get('/v1/site/..\\labels'), 404, 'next'],
  ['__proto__ as an id', get('/v1/site/__proto__'), 404, 'next'],
  ['constructor as an id', get('/v1/client/constructor'), 400, 'next'],
  ['hasOwnProperty as a path', get('/hasOwnProperty'), 404, 'next'],
  ['half an escape', get('/v1/site/%'), 400, 'next'],
];

describe.each([
  ['framing', framing],
  ['request lines and headers', lines],
  ['characters and ids', characters],
])('%s', (_, cases) => {
  it.each(cases)('%s is answered cleanly', async (_, request, status, after) => {
    using connection = await rawConnection(server.port);
    connection.write(request);
    const [reply] = await connection.replies(1);
    expect(reply?.status, reply?.body).toBe(status);
    // Of what is no HTTP, node:http says a status alone.
    const isAlone = reply?.body === '' && after === 'closed';
    if (!isAlone) expect(reply?.headers['content-type']).toBe('application/json; charset=utf-8');
    const said = isAlone ? null : JSON.parse(reply?.body ?? '');
    if (status >= 400 && !isAlone) {
      expect(said).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
      expect(reply?.body).not.toMatch(/node_modules|\.ts:\d|<html/);
    }
    if (after === 'closed') expect(await connection.closed()).toBe('');
    else {
      // No byte of the body may have been taken for the next request.
      connection.write(health);
      expect(await connection.replies(1)).toMatchObject([{ status: 200, body: '{"status":"ok"}' }]);
    }
    expect((await fetch(`${server.url}/v1/health`, { headers: { 'x-api-key': acme.full } })).status).toBe(200);
    expect(errors).toEqual([]);
  });
});
