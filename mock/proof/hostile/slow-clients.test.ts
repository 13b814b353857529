import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createServedMock, type Mock } from '../../adapters/create-served-mock.ts';
import type { ListeningMock } from '../../adapters/node-http.ts';
import { acme } from '../acme.ts';
import { type RawConnection, rawConnection } from './raw-connection.ts';

const key = `x-api-key: ${acme.full}\r\n`;
const start = `POST /v1/site/${acme.site}/file/upload-url HTTP/1.1\r\nhost: x\r\n${key}content-type: application/json\r\ncontent-length: 1000\r\n\r\n`;

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
beforeEach(() => mock.reset());

/** Sends a byte now and then until the server has enough of it. */
async function drip({ socket }: RawConnection, byte: string, everyMilliseconds: number, most = 100) {
  for (let sent = 0; sent < most && socket.writable && !socket.readableEnded; sent++) {
    socket.write(byte);
    await sleep(everyMilliseconds);
  }
}

async function startUpload() {
  const reply = await fetch(`${server.url}/v1/site/${acme.site}/file/upload-url`, {
    method: 'POST',
    body: '{"contentType":"text/plain"}',
    headers: { 'x-api-key': acme.full, 'content-type': 'application/json' },
  });
  const { uploadUrl, fileKey } = await reply.json();
  const { pathname, search, host } = new URL(uploadUrl);
  const put = (length: number) =>
    `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n`;
  return { fileKey, put };
}

const statusOf = async () => {
  const reply = await fetch(`${server.url}/v1/health`, { headers: { 'x-api-key': acme.full } });
  expect(errors).toEqual([]);
  return reply.status;
};

it('a client that is slow may take the time that node:http gives it, and uploads what it sends piece by piece', async () => {
  const { fileKey, put } = await startUpload();
  using connection = await rawConnection(server.port);
  connection.write(put(30));
  await drip(connection, 'a', 20, 30);
  expect(await connection.replies(1)).toMatchObject([{ status: 200 }]);
  expect(mock.files.get(fileKey)).toMatchObject({ state: 'stored', size: 30 });
  expect([server.server.headersTimeout, server.server.requestTimeout]).toEqual([60_000, 300_000]);
});

it('a client that stops within an upload and leaves, leaves nothing behind', async () => {
  const { fileKey, put } = await startUpload();
  const connection = await rawConnection(server.port);
  connection.write(`${put(30)}half`);
  await sleep(50);
  connection.socket.destroy();
  await expect.poll(() => mock.journal.list({ method: 'PUT' }).at(-1)?.reply.status).toBe(400);
  expect(mock.files.get(fileKey)).toMatchObject({ state: 'started', size: null });
  expect(await statusOf()).toBe(200);
});

it('the events of a stream may be waited for', async () => {
  using connection = await rawConnection(server.port);
  connection.write('GET /_mock/journal/stream HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await sleep(300);
  expect(connection.socket.readyState).toBe('open');
});

describe('a socket that is closed', () => {
  it.each<[string, string, number | null]>([
    ['by half after a request', `GET /v1/health HTTP/1.1\r\nhost: x\r\n${key}\r\n`, 200],
    ['by half after two', `GET /v1/health HTTP/1.1\r\nhost: x\r\n${key}\r\n`.repeat(2), 200],
    ['by half within the headers', 'GET /v1/health HTTP/1.1\r\nhost', 400],
    ['by half within the body', `${start}{"content`, null],
    ['by half before anything', '', null],
  ])('%s gets its answer, or is closed', async (_, text, status) => {
    using connection = await rawConnection(server.port);
    connection.write(text);
    connection.end();
    if (status !== null) expect((await connection.replies(1))[0]?.status).toBe(status);
    await connection.closed();
    expect(await statusOf()).toBe(200);
  });

  it.each([
    ['within the headers', 'GET /v1/labels HTTP/1.1\r\nhost'],
    ['within a body', `${start}{"content`],
    ['before the reply', `GET /v1/labels HTTP/1.1\r\nhost: x\r\n${key}\r\n`],
    ['before any of a hundred replies', `GET /v1/labels HTTP/1.1\r\nhost: x\r\n${key}\r\n`.repeat(100)],
    ['after CONNECT', 'CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n\r\n'],
    ['after nonsense', 'nonsense\r\n\r\n'],
  ])('with a reset, fifty times, %s harms nobody', async (_, text) => {
    for (let round = 0; round < 50; round++) {
      const { socket } = await rawConnection(server.port);
      await new Promise((resolve) => socket.write(text, resolve));
      socket.resetAndDestroy();
    }
    expect(await statusOf()).toBe(200);
  });
});
