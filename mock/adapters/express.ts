import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Mock } from '../create-mock.ts';
import { type ApiRequest, wholeBody } from '../message.ts';
import { refusePassthrough } from '../passthrough.ts';
import { isPartnerPath } from '../paths.ts';
import { requestBody, sendReply } from './node-message.ts';
import { forwardedOrigin, originOf, splitTarget } from './origin-of.ts';

/** A request of node:http with what express adds. Everything is optional, so that connect and similar libraries work too. */
type ExpressRequest = IncomingMessage & Partial<Pick<Request, 'baseUrl' | 'protocol' | 'app' | 'body'>>;

/**
 * The mock as a router for an express app, at any path: `app.use('/partner', partnerRouter(mock))`. It answers `/v1` and the
 * storage target below that path and passes everything else on. Upload URLs point to the address that the client used.
 * Body parsers may run before it. After `express.json()` an uploaded JSON file is stored as parsed and serialised again; to
 * keep its exact bytes, mount the router before the parser.
 * @throws ConfigurationError for a mock with `passthrough`, because the app may listen anywhere
 */
export function partnerRouter(mock: Mock) {
  refusePassthrough(mock, 'in an app');
  return (message: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void => {
    const request: ExpressRequest = message;
    const { path: url, origin } = splitTarget(request.url ?? '/');
    if (!isPartnerPath(url)) {
      next();
      return;
    }
    const reply = mock.handle({
      method: request.method ?? 'GET',
      url,
      headers: headersOf(request),
      origin: reachedAt(request, origin) + (request.baseUrl ?? ''),
      body: bodyOf(request, response),
    });
    reply.then((settled) => sendReply(message, response, settled), next);
  };
}

function reachedAt({ headers, protocol = 'http', app, socket }: ExpressRequest, target: string | null): string {
  const reached = target ?? originOf(protocol, headers.host, 'http://localhost');
  const trusts = app?.get('trust proxy fn');
  if (typeof trusts !== 'function' || !trusts(socket.remoteAddress, 0)) return reached;
  return forwardedOrigin(reached, { 'x-forwarded-host': String(headers['x-forwarded-host'] ?? '') });
}

/** node:http joins all repeated headers except set-cookie, which requests do not have. A body parser has undone an encoding. */
const headersOf = (request: ExpressRequest) =>
  ({
    ...request.headers,
    ...(request.readableDidRead && { 'content-encoding': undefined }),
  }) as ApiRequest['headers'];

function bodyOf(request: ExpressRequest, response: ServerResponse): AsyncIterable<Uint8Array> | null {
  // A stream can be read only once. If a body parser has read it, only the parsed body is left.
  if (!request.readableDidRead) return requestBody(request, response);
  return request.body === undefined ? null : wholeBody(toBytes(request.body));
}

function toBytes(parsed: unknown): Uint8Array {
  if (parsed instanceof Uint8Array) return parsed;
  return new TextEncoder().encode(typeof parsed === 'string' ? parsed : JSON.stringify(parsed));
}
