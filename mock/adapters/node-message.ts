import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiReply, ApiRequest } from '../message.ts';
import { forwardedOrigin, splitTarget } from './origin-of.ts';
import { clearTimeout, setTimeout } from './real-timers.ts';

/** Facts about the server that a request does not contain. */
export interface Reception {
  readonly scheme: 'http' | 'https';
  /** The server's own address, for clients that send no Host header. */
  readonly url: string;
  /** A path that proxies may leave in front of all others, without a slash at its end. */
  readonly basePath: string;
  /** Whether the headers of a proxy say which address the client used. */
  readonly trustProxy: boolean;
}

/** A request of node:http as plain values. */
export function apiRequest(
  message: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
  { scheme, url: own, basePath, trustProxy }: Reception,
): ApiRequest {
  const { path, origin } = splitTarget(message.url ?? '/');
  const url = below(path, basePath);
  const { host } = message.headers;
  // The listener has refused what is no host.
  const reached = origin ?? (host === undefined ? own : `${scheme}://${host}`);
  // node:http joins all repeated headers except set-cookie, which requests do not have.
  const headers = message.headers as ApiRequest['headers'];
  return {
    method: message.method ?? 'GET',
    url,
    headers,
    origin: trustProxy ? forwardedOrigin(reached, headers) : reached,
    body: requestBody(message, response, expectsContinue),
  };
}

/** The path without the base path, if it begins with it. */
function below(path: string, base: string): string {
  if (base === '' || !path.startsWith(base)) return path;
  const rest = path.slice(base.length);
  return /^[/?]/.test(rest) ? rest : rest === '' ? '/' : path;
}

/** The body of a node:http request, or null if it has none. Nothing is read before the body is iterated. */
export function requestBody(
  message: IncomingMessage,
  response: ServerResponse,
  expectsContinue = false,
): AsyncIterable<Uint8Array> | null {
  if (!hasBody(message)) return null;
  return {
    [Symbol.asyncIterator]() {
      if (expectsContinue) response.writeContinue();
      // If reading stops half-way, the reply must still be sent over this socket.
      return message.iterator({ destroyOnReturn: false });
    },
  };
}

/** Whether the request announced a body. (`complete` does not say so: without a body it is false until the reply is sent.) */
const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Sends a reply after its delay, and breaks the connection if a fault says so. */
export function sendReply(
  message: IncomingMessage,
  response: ServerResponse,
  reply: ApiReply,
  expectsContinue = false,
): void {
  const { status, headers, broken, delay = 0 } = reply;
  if (delay > 0) {
    const timer = setTimeout(sendReply, delay, message, response, { ...reply, delay: 0 }, expectsContinue);
    response.once('close', () => clearTimeout(timer));
    return;
  }
  if (broken === 'dropped') {
    message.socket.destroy();
    return;
  }
  const body = reply.body ?? '';
  // HTTP forbids a length for 204. The reply to HEAD has that of the body that it leaves out.
  const length = Buffer.byteLength(body);
  const sized = status === 204 ? headers : { 'content-length': length, ...headers };
  // A client that still waits for "100 Continue" may or may not send its body, so the connection cannot be reused.
  const closes = expectsContinue && !message.complete;
  response.writeHead(status, closes ? { ...sized, connection: 'close' } : sized);
  if (broken === 'truncated') {
    response.write(body.slice(0, Math.floor(body.length / 2)), () => message.socket.destroy());
    return;
  }
  // As many bytes as characters are ASCII, which is sent without being converted.
  response.end(body, length === body.length ? 'latin1' : 'utf8');
  // Only a request with a body has something left to read. node:http marks others complete only after the reply.
  if (!message.complete && hasBody(message)) discardBody(message);
}

/** Reads and drops the rest of a refused body, so that the client can read the reply. Closes the connection after 5 seconds. */
function discardBody(message: IncomingMessage): void {
  message.resume();
  const timer = setTimeout(() => message.destroy(), 5_000).unref();
  message.once('close', () => clearTimeout(timer));
}
