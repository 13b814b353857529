import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { onLoopback } from '../processes.ts';

/** One request as it came in: its first line, and everything else of its head. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly head: string;
}

export type HostileServer = Awaited<ReturnType<typeof hostileServer>>;

/** Answers one request on its bare socket, so that no library keeps it from being wrong. */
export type Attack = (socket: Socket, request: Received, server: { readonly url: string }) => void;

/** A server on loopback that answers with whatever bytes the attack writes. It reads heads, and swallows bodies. */
export async function hostileServer(attack: Attack) {
  const received: Received[] = [];
  const server = createServer((incoming) => {
    const { method = '', url: path = '', rawHeaders, socket } = incoming.resume();
    const request = { method, path, head: [method, path, ...rawHeaders].join('\n') };
    received.push(request);
    attack(socket, request, { url });
  });
  const url = await onLoopback(server);
  return {
    url,
    received,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A whole reply, as a well-behaved server would send it. */
export const reply = (status: number, body: string | Buffer, headers = 'content-type: application/json'): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status} Whatever\r\n${headers}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`,
      'latin1',
    ),
    Buffer.from(body),
  ]);

/** Writes the same bytes again and again, as fast as they are read, until the other side disconnects. */
export function pour(socket: Socket, piece: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

/** Writes the same piece again and again, one every so many milliseconds. */
export function drip(socket: Socket, piece: string, milliseconds = 20): void {
  const timer = setInterval(() => socket.write(piece), milliseconds);
  socket.on('close', () => clearInterval(timer));
}
