import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServedMock, type Mock } from '../../adapters/create-served-mock.ts';
import type { ListeningMock } from '../../adapters/node-http.ts';
import { acme } from '../acme.ts';
import { rawConnection } from './raw-connection.ts';

let mock: Mock;
let server: ListeningMock;
beforeAll(async () => {
  mock = await createServedMock({ rateLimit: false });
  server = await mock.listen({ port: 0 });
});
afterAll(() => mock.close());

const head = `host: x\r\nx-api-key: ${acme.full}\r\n`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${head}\r\n`;
const post = (body: string, more = '') =>
  `POST /v1/site/${acme.site}/file/upload-url HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`;

async function lengthOf(request: string): Promise<number> {
  using connection = await rawConnection(server.port);
  connection.write(request);
  await connection.replies(1);
  return connection.socket.bytesRead;
}

it('a thousand requests in one write are answered one by one, in their order', async () => {
  const kinds: [string, number][] = [
    [get('/v1/health'), 200],
    [post('{"contentType":"a/b"}'), 201],
    [get('/v1/nothing'), 404],
    [post('{"contentType":7}'), 400],
    [`GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n`, 403],
    [`PUT /storage/acme/x HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nhi`, 403],
    [get('/_mock/clock'), 403],
  ];
  const sent = Array.from({ length: 1_000 }, (_, n) => kinds[n % kinds.length] ?? ['', 0]);
  using connection = await rawConnection(server.port);
  connection.write(sent.map(([text]) => text).join(''));
  const replies = await connection.replies(sent.length);
  expect(replies.map(({ status }) => status)).toEqual(sent.map(([, status]) => status));
});

it('gives no answer to what follows an unreadable request', async () => {
  using connection = await rawConnection(server.port);
  connection.write(`${get('/v1/health')}GET /v1/labels\0 HTTP/1.1\r\n\r\n${get('/v1/labels')}`);
  expect((await connection.closed()).match(/HTTP\/1.1 200 /g)?.length ?? 0).toBeLessThan(2);
});

it('stops reading from a client that reads no replies', async () => {
  const requests = 40_000;
  using connection = await rawConnection(server.port);
  connection.socket.pause();
  mock.journal.clear();
  const before = mock.journal.size;
  connection.write(get('/v1/labels').repeat(requests));
  const served = () => mock.journal.size.kept + mock.journal.size.dropped - before.kept;
  // Until it stands still: then the buffers of both sockets are full.
  for (let seen = -1, still = 0; still < 5; still = served() === seen ? still + 1 : 0) {
    seen = served();
    await sleep(50);
  }
  expect(served()).toBeGreaterThan(100);
  expect(served()).toBeLessThan(requests * 0.75);
  expect((await fetch(`${server.url}/v1/health`, { headers: { 'x-api-key': acme.full } })).status).toBe(200);
  // From now on only bytes are counted: every reply is as long as one.
  let left = requests * (await lengthOf(get('/v1/labels')));
  connection.socket.removeAllListeners('data');
  const all = new Promise<void>((resolve) => {
    connection.socket.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) resolve();
    });
  });
  connection.socket.resume();
  await all;
  expect(left).toBe(0);
});

it('Expect: 100-continue gets 100, a refusal or an error, and the next body is not lost', async () => {
  const body = '{"contentType":"a/b"}';
  const expecting = post(body, 'expect: 100-continue\r\n');
  using eager = await rawConnection(server.port);
  // This one does not wait for it.
  eager.write(expecting + expecting);
  expect((await eager.replies(4)).map(({ status }) => status)).toEqual([100, 201, 100, 201]);

  using refused = await rawConnection(server.port);
  refused.write(expecting.replace(acme.full, 'nobody'));
  expect(await refused.replies(1)).toMatchObject([{ status: 403, headers: { connection: 'close' } }]);
  await refused.closed();

  using old = await rawConnection(server.port);
  old.write(expecting.replace('HTTP/1.1', 'HTTP/1.0'));
  expect((await old.replies(1)).map(({ status }) => status)).toEqual([201]);

  using odd = await rawConnection(server.port);
  odd.write(expecting.replace('100-continue', 'a miracle'));
  expect((await odd.replies(1)).map(({ status }) => status)).toEqual([417]);
});
