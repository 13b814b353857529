import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiReply } from '../message.ts';
import { clearTimeout, setTimeout } from './real-timers.ts';
import { type BodyTimeouts, timedBody } from './timed-body.ts';

/**
 * The body of a node:http request, or null if it has none. Nothing is read before the body is iterated.
 * @param timeouts how long the client may take; by default the server decides
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
      // If reading stops half-way, the reply must still be sent over this socket.
      return message.iterator({ destroyOnReturn: false });
    },
  };
}

/** Whether the request announced a body. (`complete` does not say so: without a body it is false until the reply is sent.) */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Sends a reply after its delay, and breaks the connection if a fault says so. */
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
  // A client that still waits for "100 Continue" may or may not send its body, so the connection cannot be reused.
  const closes = expectsContinue && !message.complete;
  response.writeHead(status, closes ? [...headers, 'connection', 'close'] : headers);
  if (reply.broken === 'truncated') {
    response.write(body.slice(0, Math.floor(body.length / 2)), encoding, () => message.socket.destroy());
    return;
  }
  response.end(body, encoding);
  // Only a request with a body has something left to read. node:http marks others complete only after the reply.
  if (!message.complete && hasBody(message)) discardBody(message);
}

/** A reply in the form that costs node:http the least work: header names and values in turn, and text in its final encoding. */
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
  // HTTP forbids a length for 204.
  if (status !== 204 && named['content-length'] === undefined) headers.push('content-length', String(length));
  // A text with as many bytes as characters is ASCII. node:http sends ASCII together with the headers, but UTF-8 separately.
  if (length === body.length) return { status, headers, body, encoding: 'latin1' };
  // One character for each byte of the UTF-8, so that the text is encoded only once.
  if (recurring === true) return { status, headers, body: Buffer.from(body).toString('latin1'), encoding: 'latin1' };
  return { status, headers, body, encoding: 'utf8' };
}

/** Reads and drops the rest of a refused body, so that the client can read the reply. Closes the connection after 5 seconds. */
function discardBody(message: IncomingMessage): void {
  message.resume();
  const timer = setTimeout(() => message.destroy(), 5_000).unref();
  message.once('close', () => clearTimeout(timer));
}
