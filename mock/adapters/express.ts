import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Mock } from '../create-mock.ts';
import { type ApiRequest, wholeBody } from '../message.ts';
import { refusePassthrough } from '../passthrough.ts';
import { isPartnerPath } from '../paths.ts';
import { requestBody, sendReply } from './node-message.ts';
import { originOf, splitTarget } from './origin-of.ts';

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
    // Express believes the proxies that the app trusts.
    const { method, url: target, protocol, host, baseUrl, body, readableDidRead } = message as Request;
    const { path: url, origin } = splitTarget(target);
    if (!isPartnerPath(url)) {
      next();
      return;
    }
    const headers = message.headers as ApiRequest['headers'];
    const reply = mock.handle({
      ...{ method, url, headers },
      origin: (origin ?? originOf(protocol, host, 'http://localhost')) + baseUrl,
      body: requestBody(message, response),
      // A stream can be read only once. A body parser that has read it leaves the parsed body, and has undone an encoding.
      ...(readableDidRead && {
        headers: { ...headers, 'content-encoding': undefined },
        body: body === undefined ? null : wholeBody(toBytes(body)),
      }),
    });
    reply.then((settled) => sendReply(message, response, settled), next);
  };
}

function toBytes(parsed: unknown): Uint8Array {
  if (parsed instanceof Uint8Array) return parsed;
  return new TextEncoder().encode(typeof parsed === 'string' ? parsed : JSON.stringify(parsed));
}
