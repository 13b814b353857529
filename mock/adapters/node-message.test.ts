import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onLoopback } from '../../spec/proof/processes.ts';
import type { ApiReply } from '../message.ts';
import { sendReply } from './node-message.ts';

let reply: ApiReply;
const server = createServer((message, response) => sendReply(message, response, reply));
let url = '';

beforeAll(async () => {
  url = await onLoopback(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each([
  ['ASCII', 'plain'],
  ['letters of Latin-1', 'Müller'],
  ['other letters', 'Łódź, 東京 🔧'],
  ['nothing', ''],
])('sends %s whole, with its length in bytes', async (_, body) => {
  reply = { status: 200, headers: { 'x-own': '1' }, body };
  const got = await fetch(url);
  expect([got.headers.get('content-length'), got.headers.get('x-own')]).toEqual([String(Buffer.byteLength(body)), '1']);
  expect(await got.text()).toBe(body);
});

it('sends no Content-Length with 204', async () => {
  reply = { status: 204, headers: {}, body: null };
  expect((await fetch(url)).headers.get('content-length')).toBeNull();
});
