import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiReply } from '../message.ts';
import { type BodyTimeouts, timedBody } from './timed-body.ts';

/**
 * The body of a node:http request, or null where it has none. Nothing is read before it is iterated.
 * @param timeouts where it is not for the server to say how long a client may take
 */
export function requestBody(
  message: IncomingMessage,
  response: ServerResponse,
  expectsContinue = false,
  timeouts?: BodyTimeouts,
): AsyncIterable<Uint8Array> | null {
  if (!hasBody(message)) return null;
  return {
    [Symbol.asyncIterator]() {
      if (expectsContinue) response.writeContinue();
      if (timeouts !== undefined) return timedBody(message, response, timeouts);
      // When reading stops half-way, the reply still has to be sent over this socket.
      return message.iterator({ destroyOnReturn: false });
    },
  };
}

/** Whether the request announced a body. `complete` does not tell: without a body it is false until the reply is sent, too. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

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
  const { status, headers, body, encoding } = wireOf(reply);
  // A client that still waits for "100 Continue" may or may not send its body: only a new connection is unambiguous.
  const closes = expectsContinue && !message.complete;
  response.writeHead(status, closes ? [...headers, 'connection', 'close'] : headers);
  if (reply.broken === 'truncated') {
    response.write(body.slice(0, Math.floor(body.length / 2)), encoding, () => message.socket.destroy());
    return;
  }
  response.end(body, encoding);
  // A request that announced no body leaves nothing to read; node:http marks such a request complete only after the reply.
  if (!message.complete && hasBody(message)) cutOff(message);
}

/** A reply as node:http takes it with the least work: header names and values in turn, and text that goes out as it is. */
interface Wire {
  readonly status: number;
  readonly headers: string[];
  readonly body: string;
  readonly encoding: 'latin1' | 'utf8';
}

const wires = new WeakMap<ApiReply, Wire>();

function wireOf(reply: ApiReply): Wire {
  if (reply.recurring !== true) return toWire(reply);
  let wire = wires.get(reply);
  if (wire === undefined) {
    wire = toWire(reply);
    wires.set(reply, wire);
  }
  return wire;
}

function toWire({ status, headers: named, body: text, recurring }: ApiReply): Wire {
  const headers: string[] = [];
  for (const name in named) headers.push(name, named[name] ?? '');
  const body = text ?? '';
  const length = Buffer.byteLength(body);
  // HTTP forbids a length where there can be no content.
  if (status !== 204) headers.push('content-length', String(length));
  // The text is ASCII where it has as many bytes as characters. node:http sends ASCII in one piece with the head, UTF-8 apart.
  if (length === body.length) return { status, headers, body, encoding: 'latin1' };
  // One character per byte of the UTF-8, so that it is encoded only once.
  if (recurring === true) return { status, headers, body: Buffer.from(body).toString('latin1'), encoding: 'latin1' };
  return { status, headers, body, encoding: 'utf8' };
}

/** What is left of a refused body is thrown away, so that the client can read the reply; after 5 seconds it is cut off. */
function cutOff(message: IncomingMessage): void {
  message.resume();
  const timer = setTimeout(() => message.destroy(), 5_000).unref();
  message.once('close', () => clearTimeout(timer));
}
