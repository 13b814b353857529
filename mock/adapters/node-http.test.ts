import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../create-mock.ts';
import { acme } from '../proof/acme.ts';
import { type ListeningMock, listen } from './node-http.ts';

let mock: Mock;
let server: ListeningMock;
beforeAll(async () => {
  mock = await createMock();
  server = await listen(mock, { port: 0 });
});
afterAll(async () => {
  await server.close();
  await mock.close();
});

const headers = { 'x-api-key': acme.full };
const call = (path: string, init: RequestInit = {}) =>
  fetch(server.url + path, { ...init, headers: { ...headers, ...init.headers } });

/** Sends raw text and gives back everything that came until the server closed. */
const raw = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received)).on('error', reject);
  });

/** node:http, for what fetch does not let one send. */
const send = (options: RequestOptions, write: (outgoing: ReturnType<typeof httpRequest>) => void) =>
  new Promise<{ status: number; text: string; connection: string | undefined; continued: boolean }>(
    (resolve, reject) => {
      let continued = false;
      const outgoing = httpRequest(server.url, options, (incoming) => {
        let text = '';
        incoming.on('data', (chunk) => {
          text += chunk;
        });
        incoming.on('end', () => {
          resolve({ status: incoming.statusCode ?? 0, text, connection: incoming.headers.connection, continued });
          outgoing.destroy();
        });
      });
      outgoing.on('continue', () => {
        continued = true;
      });
      outgoing.on('error', reject);
      write(outgoing);
    },
  );

const jsonPost = (path: string, more: Record<string, string> = {}): RequestOptions => ({
  method: 'POST',
  path,
  headers: { ...headers, 'content-type': 'application/json', ...more },
});

describe('the HTTP server', () => {
  it('answers with a length and keeps the connection', async () => {
    const reply = await call('/v1/health');
    expect([reply.status, await reply.json(), reply.headers.get('content-length')]).toEqual([
      200,
      { status: 'ok' },
      '15',
    ]);
  });

  it.each(['/v1/health', '/v1/nothing', '/_mock', '/_mock/health', '/%5Fmock/h%65alth'])(
    'answers HEAD %s as GET, without the body',
    async (path) => {
      const ask = async (method: string) => {
        const reply = await new Promise<IncomingMessage>((resolve, reject) => {
          httpRequest(server.url, { method, path, headers }, resolve).on('error', reject).end();
        });
        const { date: _, ...answered } = reply.headers;
        return { status: reply.statusCode, answered, length: (await text(reply)).length };
      };
      const { length, ...get } = await ask('GET');
      expect(await ask('HEAD')).toEqual({ ...get, length: 0 });
      expect(length).toBeGreaterThan(0);
    },
  );

  it('answers HEAD of the stream of exchanges, which has no end', async () => {
    const reply = await call('/_mock/journal/stream', { method: 'HEAD' });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('signs upload URLs for the host that the client used', async () => {
    const { uploadUrl } = await (
      await call(`/v1/site/${acme.site}/file/upload-url`, {
        method: 'POST',
        body: '{"contentType":"text/plain"}',
        headers: { 'content-type': 'application/json' },
      })
    ).json();
    expect(uploadUrl.startsWith(`${server.url}/storage/acme/`)).toBe(true);
    const bytes = new Uint8Array(20 * 1024 * 1024).fill(7);
    const put = await fetch(uploadUrl, { method: 'PUT', body: bytes, headers: { 'content-type': 'text/plain' } });
    expect([put.status, put.headers.get('etag')]).toEqual([200, `"${createHash('md5').update(bytes).digest('hex')}"`]);
  });

  it('refuses a body announced past the limit before it is sent, and one streamed past it while it comes', async () => {
    const path = `/v1/site/${acme.site}/file/upload-url`;
    const announced = await send(jsonPost(path, { 'content-length': String(2 ** 40) }), (outgoing) =>
      outgoing.flushHeaders(),
    );
    expect(announced.status).toBe(413);

    const chunk = Buffer.alloc(64 * 1024, 32);
    let written = 0;
    const streamed = await send(jsonPost(path), (outgoing) => {
      const more = () => {
        while (!outgoing.destroyed && written < 2 ** 31) {
          written += chunk.length;
          if (!outgoing.write(chunk)) return void outgoing.once('drain', more);
        }
      };
      more();
    });
    expect([streamed.status, JSON.parse(streamed.text).error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(written).toBeLessThan(2 ** 31);
  });

  it('asks for the body with 100 Continue only when it will read it', async () => {
    const path = `/v1/site/${acme.site}/file/upload-url`;
    const body = '{"contentType":"a/b"}';
    const expecting = { expect: '100-continue', 'content-length': String(body.length) };
    const served = await send(jsonPost(path, expecting), (outgoing) =>
      outgoing.on('continue', () => outgoing.end(body)).flushHeaders(),
    );
    expect([served.status, served.continued]).toEqual([201, true]);
    const refused = await send(jsonPost(path, { ...expecting, 'x-api-key': 'nobodys-secret-000000' }), (outgoing) =>
      outgoing.flushHeaders(),
    );
    expect([refused.status, refused.continued, refused.connection]).toEqual([403, false, 'close']);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['headers of 20 KiB', `GET /v1/health HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a path of 20 KiB', `GET /v1/${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    [
      'two lengths',
      'POST /v1/labels HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['an odd expectation', 'GET /v1/health HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\nconnection: close\r\n\r\n', 417],
  ])('%s gets a status alone', async (_, text, status) => {
    expect((await raw(text)).split(' ')[1]).toBe(String(status));
  });

  it('a request for no host gets an error', async () => {
    const received = await raw('GET /v1/health HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(received.split(' ')[1]).toBe('400');
    expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n'))).error.code).toBe('BAD_REQUEST');
  });

  it('closes the connection of a client that takes it for a proxy', async () => {
    expect(await raw('CONNECT x:22 HTTP/1.1\r\nhost: x:22\r\n\r\n')).toBe('');
  });

  it('serves request targets in absolute form, and HTTP/1.0 without a host', async () => {
    const absolute = await raw(
      `GET http://other.example/v1/health HTTP/1.1\r\nhost: x\r\nx-api-key: ${acme.full}\r\nconnection: close\r\n\r\n`,
    );
    expect(absolute).toMatch(/^HTTP\/1.1 200 /);
    const old = await raw(`GET /v1/health HTTP/1.0\r\nx-api-key: ${acme.full}\r\n\r\n`);
    expect(old).toMatch(/^HTTP\/1.1 200 /);
  });

  it('keeps the old file when a client breaks off an upload', async () => {
    const started = await call(`/v1/site/${acme.site}/file/upload-url`, {
      method: 'POST',
      body: '{"contentType":"text/plain"}',
      headers: { 'content-type': 'application/json' },
    });
    const { uploadUrl, fileKey } = await started.json();
    const { pathname, search, host } = new URL(uploadUrl);
    await fetch(uploadUrl, { method: 'PUT', body: 'whole', headers: { 'content-type': 'text/plain' } });
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(
          `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf`,
        );
        socket.end(resolve);
      });
      socket.resume();
    });
    await call('/v1/health');
    let text = '';
    for await (const chunk of mock.files.read(fileKey) ?? []) text += new TextDecoder().decode(chunk);
    expect(text).toBe('whole');
  });

  it('gives five minutes to a request and a minute to its headers', () => {
    expect([server.server.requestTimeout, server.server.headersTimeout]).toEqual([300_000, 60_000]);
  });

  it('says that the port is taken', async () => {
    await expect(listen(mock, { port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

it('leads a browser from its address to the console, and answers other clients as the API', async () => {
  const asked = await fetch(server.url, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' });
  expect([asked.status, asked.headers.get('location')]).toEqual([302, '_mock']);
  expect((await fetch(server.url)).status).toBe(403);
  expect((await call('/', { headers: { accept: 'text/html' } })).status).toBe(404);
});
