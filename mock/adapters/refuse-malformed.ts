import type { Duplex } from 'node:stream';
import { errorReply } from '../refusal.ts';

/** Sends a JSON error for what node:http could not read as a request, if the socket is still open. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else refuse(socket, refusals[error.code ?? ''] ?? unreadable);
}

/** Refuses CONNECT, which a client sends to a proxy. */
export function refuseConnect(socket: Duplex): void {
  // node:http no longer handles errors of this socket, so they must be caught here.
  socket.on('error', () => socket.destroy());
  refuse(socket, noProxy);
}

type Answer = readonly [status: number, code: string, message: string];

const unreadable: Answer = [400, 'BAD_REQUEST', 'This is not a valid HTTP request.'];
const noProxy: Answer = [405, 'METHOD_NOT_ALLOWED', 'CONNECT is not allowed: the mock is not a proxy.'];
const refusals: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: [431, 'REQUEST_HEADER_FIELDS_TOO_LARGE', 'The request line and headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'REQUEST_TIMEOUT', 'The request did not arrive in time.'],
};

function refuse(socket: Duplex, answer: Answer): void {
  const { status, headers, body } = errorReply(...answer);
  const phrase = process.getBuiltinModule('node:http').STATUS_CODES[status];
  const lines = Object.entries({ ...headers, 'content-length': body?.length, connection: 'close' });
  socket.end([`HTTP/1.1 ${status} ${phrase}`, ...lines.map((line) => line.join(': ')), '', body].join('\r\n'));
}
