import { createServer, type RequestListener, type Server } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { onLoopback } from '../../spec/proof/processes.ts';
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
  ['GZip', gzipSync('{"a":1}')],
  ['identity', Buffer.from('{"a":1}')],
])('reads a reply that a proxy sent as %s', async (encoding, bytes) => {
  const { body } = await get((_, response) => response.setHeader('content-encoding', encoding).end(bytes));
  expect(new TextDecoder().decode(body)).toBe('{"a":1}');
});

it.each([
  ['gzip', '{"a":1}', 'incorrect header check'],
  ['gzip', gzipSync('{"a":1}').subarray(0, 12), 'unexpected end of file'],
  ['zstd', zstdCompressSync('{"a":1}'), 'incorrect header check'],
])('says what is wrong with a reply that is declared as %s and is not (%#)', async (encoding, bytes, message) => {
  const reply = get((_, response) => response.setHeader('content-encoding', encoding).end(bytes));
  await expect(reply).rejects.toMatchObject({
    problem: 'other',
    message: `a body with Content-Encoding: ${encoding} cannot be read, where gzip, br were offered: ${message}`,
  });
});

it('reads an empty body, whatever it is declared as, and asks for what it reads', async () => {
  const { status, body } = await get((request, response) => {
    response
      .setHeader('content-encoding', 'gzip')
      .writeHead(request.headers['accept-encoding'] ? 204 : 500)
      .end();
  });
  expect([status, body.length]).toEqual([204, 0]);
});

it('does not unpack more than it keeps', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const reply = get((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
  await expect(reply).rejects.toMatchObject({
    problem: 'unusable',
    message: expect.stringMatching(/^too large .* more than/),
  });
});

it('reads headers of up to 256 KB, and says of longer ones that it does not', async () => {
  const withHeaders = (bytes: number) =>
    get((_, response) => response.setHeader('x-trace', 'x'.repeat(bytes)).end('{}'));
  expect((await withHeaders(200_000)).headers['x-trace']).toHaveLength(200_000);
  await expect(withHeaders(300_000)).rejects.toMatchObject({
    problem: 'unusable',
    message: expect.stringMatching(/^too large for this runner: .*headers of the reply are longer/),
  });
});

it.each([
  ['SSH-2.0-OpenSSH_9.6\r\n', 'the reply is no valid HTTP/1.1'],
  ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n', 'the reply is no valid HTTP/1.1'],
  ['HTTP/1.1 200 OK\r\nx y: 1\r\n\r\n', 'the reply is no valid HTTP/1.1'],
  ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'the reply is no valid HTTP/1.1'],
])('says that a reply cannot be parsed: %j', async (bytes, message) => {
  const reply = get(({ socket }) => void socket.end(bytes));
  await expect(reply).rejects.toMatchObject({ problem: 'other', message: expect.stringContaining(message) });
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
  await expect(reply).rejects.toMatchObject({
    problem: 'other',
    message: expect.stringContaining('closed without a reply'),
  });
});
