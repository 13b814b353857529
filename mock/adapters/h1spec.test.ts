/** The 33 cases of uNetworking's h1spec. That suite wants a server that echoes; here an operation answers instead. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawConnection } from '../proof/hostile/raw-connection.ts';
import { createServedMock } from './create-served-mock.ts';

const host = 'Host: a\r\n';
const get = (headers: string) => `GET /v1/health HTTP/1.1\r\n${headers}x-api-key: KEY\r\n\r\n`;
const post = (rest: string) =>
  `POST /v1/site/10042/file/upload-url HTTP/1.1\r\n${host}x-api-key: KEY\r\nContent-Type: application/json\r\n${rest}`;
const body = '{"contentType":"a/b"}';
const chunks = `15\r\n${body}\r\n0\r\n\r\n`;

/** Where a request is cut in two: within the method, target, version, each line and its end. The server must wait for the rest. */
const cuts = [1, 4, 12, 15, 19, 23, 24, 25, 28, 30, 31, 32, 33, 34, -1];

const requests: readonly (readonly [name: string, request: string, status: number])[] = [
  ['no HTTP version', 'GET /v1/health \r\n\r\n', 400],
  ['Expect: 100-continue', post('Expect: 100-continue\r\nContent-Length: 21\r\n\r\n'), 100],
  ['a valid GET', get(host), 200],
  ['a tab before a value, an empty header', get('hoSt:\ta\r\nempty:\r\n'), 200],
  ['a character that no header name may have', get(`${host}X-Invalid[]: test\r\n`), 400],
  ['no Host', get('Content-Length: 5\r\n'), 400],
  ['two Hosts', get(`${host}Host: b\r\n`), 400],
  ['a negative length that overflows', get(`${host}Content-Length: -123456789123456789123456789\r\n`), 400],
  ['a negative length', get(`${host}Content-Length: -1234\r\n`), 400],
  ['a length that is no number', get(`${host}Content-Length: abc\r\n`), 400],
  ['an empty value', get(`${host}X-Empty-Header: \r\n`), 200],
  ['a control character in a value', get(`${host}X-Bad-Control-Char: test\x07\r\n`), 400],
  ['HTTP/9.9', `GET /v1/health HTTP/9.9\r\n${host}\r\n`, 400],
  ['words before the method', `Extra line${get(host)}`, 400],
  ['a CR alone where a line ends', get(`${host}\rSome-Header: Test\r\n`), 400],
  ['a valid POST', post(`Content-Length: 21\r\n\r\n${body}`), 201],
  ['chunks', post(`Transfer-Encoding: chunked\r\n\r\n${chunks}`), 201],
  [
    'a length and chunks, in varying case',
    post(`content-LengtH: 5\r\nTransFer-Encoding: chunked\r\n\r\n${chunks}`),
    400,
  ],
];

const apiKey = 'acmefull-fake-secret-0000000000000001';
let port = 0;
let mock: Awaited<ReturnType<typeof createServedMock>>;
beforeAll(async () => {
  mock = await createServedMock({ rateLimit: false });
  port = Number(new URL((await mock.listen({ port: 0 })).url).port);
});
afterAll(() => mock[Symbol.asyncDispose]());

it.concurrent.each(cuts)('waits for the rest of a request that is cut at %i', async (at) => {
  const whole = get(host).replace('KEY', apiKey);
  using connection = await rawConnection(port);
  const came: string[] = [];
  connection.socket.on('data', (bytes) => came.push(String(bytes)));
  connection.write(whole.slice(0, at));
  await setTimeout(300);
  expect(came.join('')).toBe('');
  connection.write(whole.slice(at));
  expect((await connection.replies(1))[0]?.status).toBe(200);
});

it.each(requests)('%s', async (_, text, status) => {
  using connection = await rawConnection(port);
  connection.write(text.replace('KEY', apiKey));
  expect((await connection.replies(1))[0]?.status).toBe(status);
});
