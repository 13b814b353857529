import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { acme } from '../acme.ts';
import type { ServedMockState } from './served-mock.ts';

/** Both ends of a connection take a file descriptor, so that they are in two processes; each needs some for itself. */
const spare = 500;
const limit = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || Number.POSITIVE_INFINITY;
const connections = Math.min(10_000, limit - spare);

let child: ChildProcess;
let port: number;
beforeAll(async () => {
  child = fork(join(import.meta.dirname, 'served-mock.ts'), { execArgv: ['--expose-gc'] });
  [port] = await once(child, 'message');
});
afterAll(() => void child.kill());

async function state(): Promise<ServedMockState> {
  child.send('state');
  return (await once(child, 'message'))[0];
}

const request = `GET /v1/labels HTTP/1.1\r\nhost: x\r\nx-api-key: ${acme.full}\r\n\r\n`;

async function call(): Promise<number> {
  const started = performance.now();
  const reply = await fetch(`http://127.0.0.1:${port}/v1/labels`, { headers: { 'x-api-key': acme.full } });
  expect(reply.status).toBe(200);
  await reply.text();
  return performance.now() - started;
}

/** One of three kinds: never says a word, stops within its first line, or keeps its connection after a reply. */
async function idle(kind: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (kind === 1) socket.write('GET /v1/');
  if (kind === 2) {
    socket.write(request);
    await once(socket, 'data');
  }
  return socket;
}

it(`${connections} idle connections take little memory, and the next request is served`, async () => {
  await call();
  const before = await state();
  const sockets: Socket[] = [];
  while (sockets.length < connections) {
    const batch = Math.min(250, connections - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: batch }, (_, n) => idle(n % 3)))));
  }
  const open = await state();
  expect(open.connections).toBeGreaterThanOrEqual(connections);
  expect((open.resident - before.resident) / connections).toBeLessThan(40 * 1024);
  expect(await call()).toBeLessThan(5_000);

  for (const socket of sockets) socket.resetAndDestroy();
  // Each turn of the child's loop sees some of them gone.
  let left = await state();
  while (left.connections > before.connections + 1) left = await state();
  expect(await call()).toBeLessThan(5_000);
  tally({ inputs: connections, faults: connections });
});
