import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onLoopback } from '../processes.ts';

/** One request as it came in: its first line, and everything else of its head. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly head: string;
}

export type HostileServer = Awaited<ReturnType<typeof hostileServer>>;

/** Answers one request on a bare socket, so that no library keeps it from being wrong. */
export type Attack = (socket: Socket, request: Received, server: { readonly url: string }) => void;

/** A server on loopback that answers with whatever bytes the attack writes. Heads are read, bodies are swallowed. */
export async function hostileServer(attack: Attack) {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    let body = 0;
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text += piece;
      for (;;) {
        const dropped = Math.min(body, text.length);
        body -= dropped;
        text = text.slice(dropped);
        const end = text.indexOf('\r\n\r\n');
        if (body > 0 || end < 0) return;
        const head = text.slice(0, end);
        text = text.slice(end + 4);
        body = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
        const [method = '', path = ''] = head.split(' ');
        const request = { method, path, head };
        received.push(request);
        attack(socket, request, { url });
      }
    });
  });
  const url = await onLoopback(server);
  return {
    url,
    port: Number(new URL(url).port),
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
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
