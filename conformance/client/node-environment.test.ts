import { createServer, type RequestListener, type Server } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { onLoopback } from '../../spec/proof/on-loopback.ts';
import { nodeEnvironment } from './node-environment.ts';

const environment = nodeEnvironment();
let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function get(listener: RequestListener, timeoutMilliseconds = 5_000) {
  server = createServer(listener);
  const url = await onLoopback(server);
  return environment.send({ method: 'GET', url, headers: {}, body: null }, { timeoutMilliseconds });
}

it.each([
  ['gzip', gzipSync('{"a":1}')],
  ['deflate', deflateSync('{"a":1}')],
  ['br', brotliCompressSync('{"a":1}')],
  ['identity', Buffer.from('{"a":1}')],
])('reads a reply that a proxy sent as %s', async (encoding, bytes) => {
  const { body } = await get((_, response) => response.setHeader('content-encoding', encoding).end(bytes));
  expect(new TextDecoder().decode(body)).toBe('{"a":1}');
});

it('fails on a reply that is declared as compressed and is not', async () => {
  const reply = get((_, response) => response.setHeader('content-encoding', 'gzip').end('{"a":1}'));
  await expect(reply).rejects.toMatchObject({ problem: 'other', message: 'incorrect header check' });
});

it('fails on a reply that does not end, before it fills the memory', async () => {
  const reply = get((_, response) => {
    const piece = Buffer.alloc(1 << 20, 97);
    const more = () => {
      while (response.write(piece));
    };
    response.on('drain', more);
    more();
  });
  await expect(reply).rejects.toMatchObject({ problem: 'unusable', message: expect.stringContaining('more than') });
});

it('reports a reply that stops half-way as a time-out, not as a closed connection', async () => {
  const reply = get((_, response) => void response.writeHead(200).write('{"a"'), 200);
  await expect(reply).rejects.toMatchObject({ problem: 'timeout', message: expect.stringContaining('within 200 ms') });
});

it.each(['GET', 'DELETE', 'PUT', 'POST'])(
  'frames the body of a %s, announced or in chunks, so that the next request is read as such',
  async (method) => {
    const seen: string[] = [];
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      seen.push(`${request.method} ${Buffer.concat(chunks)}`);
      response.end();
    });
    const url = await onLoopback(server);
    for (const chunked of [true, false, true]) {
      const request = { method, url, headers: {}, body: new TextEncoder().encode('{}'), chunked };
      expect(await environment.send(request, { timeoutMilliseconds: 5_000 })).toMatchObject({ status: 200 });
    }
    expect(seen).toEqual(Array(3).fill(`${method} {}`));
  },
);

it('fails on a switch of protocols that nobody asked for', async () => {
  const reply = get((_, { socket }) => {
    socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhello');
  });
  await expect(reply).rejects.toMatchObject({ problem: 'reset', message: 'closed without a reply' });
});
