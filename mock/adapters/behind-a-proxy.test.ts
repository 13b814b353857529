import { createServer } from 'node:http';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { onLoopback } from '../../spec/proof/processes.ts';
import { acme } from '../proof/acme.ts';
import { rawConnection } from '../proof/hostile/raw-connection.ts';
import { memoryFiles } from '../storage/files.ts';
import { createServedMock, type Mock } from './create-served-mock.ts';
import { partnerRouter } from './express.ts';
import type { ListenOptions } from './node-http.ts';

let mock: Mock;
afterEach(() => mock.close());

/** Starts a mock. @returns how to send it requests as a proxy would: with any target and any headers */
async function behind(options: ListenOptions = {}, publicUrl?: string) {
  mock = await createServedMock({ rateLimit: false, files: memoryFiles(), ...(publicUrl && { publicUrl }) });
  return proxied((await mock.listen({ port: 0, ...options })).port);
}

function proxied(port: number) {
  const send = async (line: string, headers: readonly string[] = ['host: x'], body = '') => {
    using connection = await rawConnection(port);
    const all = [`x-api-key: ${acme.full}`, `content-length: ${body.length}`, ...headers].join('\r\n');
    connection.write(`${line} HTTP/1.1\r\n${all}\r\n\r\n${body}`);
    const [reply] = await connection.replies(1);
    if (reply === undefined) throw new Error('no reply');
    return reply;
  };
  /** The address in a new upload URL, up to the storage target, and a PUT to it. */
  const upload = async (headers = ['host: x'], base = '') => {
    const line = `POST ${base}/v1/site/${acme.legacySite}/file/upload-url`;
    const started = await send(line, [...headers, 'content-type: application/json'], '{"contentType":"a/b"}');
    const [address = '', rest = ''] = JSON.parse(started.body).uploadUrl.split('/storage/');
    const put = (more = headers, below = '') =>
      send(`PUT ${below}/storage/${rest}`, [...more, 'content-type: a/b'], 'bytes');
    return { address, put };
  };
  return { send, upload };
}

describe('a Host header', () => {
  it.each([
    ['that is empty', 'host:'],
    ['that is no host', 'host: a b'],
    ['with a path', 'host: x/y'],
    ['with a user', 'host: u@x'],
    ['with a port that is none', 'host: x:99999'],
    ['with half an address', 'host: [::1'],
    ['twice', 'host: x', 'host: y'],
    ['twice the same', 'host: x', 'Host: x'],
  ])('%s is 400, everywhere', async (_, ...headers) => {
    const { send } = await behind();
    for (const line of ['GET /v1/health', 'PUT /storage/acme/x', 'GET /_mock/health', 'GET http://x/v1/health']) {
      expect((await send(line, headers)).status).toBe(400);
    }
  });

  it('does not count where the target names a host', async () => {
    const { send, upload } = await behind();
    const { address, put } = await upload(['host: x'], 'http://Other.example:8080');
    expect(address).toBe('http://other.example:8080');
    expect((await put()).status).toBe(403);
    expect((await put(['host: x'], 'http://other.example:8080')).status).toBe(200);
    expect((await send('GET http://[bad/v1/health')).status).toBe(400);
  });
});

const forwarded = ['host: in', 'x-forwarded-host: api.example.com', 'x-forwarded-proto: https'];

describe('a proxy', () => {
  it('is not believed unless the user says so', async () => {
    expect((await (await behind()).upload(forwarded)).address).toBe('http://in');
  });

  it('that is trusted says which address the client used', async () => {
    const { upload } = await behind({ trustProxy: true });
    const { address, put } = await upload([...forwarded, 'x-forwarded-prefix: /partner']);
    expect(address).toBe('https://api.example.com/partner');
    expect((await put(forwarded)).status).toBe(403);
    expect((await put()).status).toBe(200);
  });

  it.each(['/partner', '/partner/api/'])('may leave the path %s of the public URL, or take it away', async (path) => {
    const base = path.replace(/\/$/, '');
    const { send, upload } = await behind({}, `https://api.example.com${path}`);
    for (const sent of [base, '']) {
      const { address, put } = await upload(['host: any'], sent);
      expect(address).toBe(`https://api.example.com${base}`);
      expect((await put(['host: other'], sent)).status).toBe(200);
      expect((await send(`GET ${sent}/_mock/health`, ['host: 127.0.0.1'])).status).toBe(200);
    }
    expect((await send(`GET ${base}x/v1/health`)).status).toBe(404);
    expect((await send(`GET ${base}`)).status).toBe(404);
  });

  it.each([
    [false, 'http://in/p'],
    [true, 'https://api.example.com/p'],
    ['10.0.0.1', 'http://in/p'],
  ])('of an app is believed as express does: trust proxy %s', async (trust, expected) => {
    await behind();
    const server = createServer(express().set('trust proxy', trust).use('/p', partnerRouter(mock)));
    const { upload } = proxied(Number(new URL(await onLoopback(server)).port));
    const { address, put } = await upload(forwarded, '/p');
    expect([address, (await put(forwarded, '/p')).status]).toEqual([expected, 200]);
    // The host of an absolute target counts here, too.
    if (trust === false) expect((await upload(['host: x'], 'http://out/p')).address).toBe('http://out/p');
    server.closeAllConnections();
    server.close();
  });
});
