import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { spellings } from './replies.ts';

test('a reply in pieces may have headers that were set one by one, as those of the control API', async () => {
  const { wire } = spellings['bodies in pieces, without a length'] ?? {};
  const server = createServer((_, response) => {
    wire?.(response);
    response.setHeader('content-type', 'application/json');
    response.end('{"offset":"60000 ms, in more than one piece"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(reply.headers.get('content-length')).toBeNull();
    expect(await reply.json()).toEqual({ offset: '60000 ms, in more than one piece' });
  } finally {
    server.close();
  }
});
