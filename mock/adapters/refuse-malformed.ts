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

type Answer = readonly [status: number, phrase: string, code: string, message: string];

const unreadable: Answer = [400, 'Bad Request', 'BAD_REQUEST', 'This is not a valid HTTP request.'];
const noProxy: Answer = [
  405,
  'Method Not Allowed',
  'METHOD_NOT_ALLOWED',
  'CONNECT is not allowed: the mock is not a proxy.',
];
const refusals: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'REQUEST_HEADER_FIELDS_TOO_LARGE',
    'The request line and headers are larger than 16 KiB.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'REQUEST_TIMEOUT', 'The request did not arrive in time.'],
};

function refuse(socket: Duplex, [status, phrase, code, message]: Answer): void {
  const { body } = errorReply(status, code, message);
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body?.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}
