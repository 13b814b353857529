import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiReply } from '../message.ts';

/** The body of a node:http request, or null where it has none. Nothing is read before it is iterated. */
export function requestBody(
  message: IncomingMessage,
  response: ServerResponse,
  expectsContinue = false,
): AsyncIterable<Uint8Array> | null {
  const { headers } = message;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return null;
  return {
    [Symbol.asyncIterator]() {
      if (expectsContinue) response.writeContinue();
      // The reply still has to go out over this socket when reading stops half-way.
      return message.iterator({ destroyOnReturn: false });
    },
  };
}

/** Hands a reply to the socket: after its delay, and broken off where a fault has it so. */
export function sendReply(
  message: IncomingMessage,
  response: ServerResponse,
  reply: ApiReply,
  expectsContinue = false,
): void {
  if (reply.delay !== undefined && reply.delay > 0) {
    const timer = setTimeout(() => sendNow(message, response, reply, expectsContinue), reply.delay);
    response.once('close', () => clearTimeout(timer));
  } else {
    sendNow(message, response, reply, expectsContinue);
  }
}

function sendNow(message: IncomingMessage, response: ServerResponse, reply: ApiReply, expectsContinue: boolean): void {
  if (reply.broken === 'dropped') {
    message.socket.destroy();
    return;
  }
  const body = reply.body ?? '';
  const headers: Record<string, string | number> = { ...reply.headers };
  // HTTP forbids a length where there can be no content.
  if (reply.status !== 204) headers['content-length'] = Buffer.byteLength(body);
  // A client that still waits for "100 Continue" may or may not send its body: only a new connection is unambiguous.
  if (expectsContinue && !message.complete) headers.connection = 'close';
  response.writeHead(reply.status, headers);
  if (reply.broken === 'truncated') {
    response.write(body.slice(0, Math.floor(body.length / 2)), () => message.socket.destroy());
    return;
  }
  response.end(body);
  if (!message.complete) cutOff(message);
}

/** What is left of a refused body is thrown away, so that the client can read the reply; after 5 seconds it is cut off. */
function cutOff(message: IncomingMessage): void {
  message.resume();
  const timer = setTimeout(() => message.destroy(), 5_000).unref();
  message.once('close', () => clearTimeout(timer));
}
