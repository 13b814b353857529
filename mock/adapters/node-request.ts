import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest } from '../message.ts';
import { requestBody } from './node-message.ts';
import { originOf } from './origin-of.ts';

/** A request of node:http as ours. A class, because a getter in an object made for every request costs more than all the rest of it. */
export class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiRequest['headers'];
  readonly body: ApiRequest['body'];
  readonly #scheme: string;
  readonly #fallbackOrigin: string;

  /** @param fallbackOrigin where the client does not say which host it means */
  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
    scheme: 'http' | 'https',
    fallbackOrigin: string,
  ) {
    const url = message.url ?? '/';
    this.method = message.method ?? 'GET';
    this.url = url.startsWith('/') ? url : withoutAuthority(url);
    // node:http joins every header that may come twice, but for set-cookie, which requests do not carry.
    this.headers = message.headers as ApiRequest['headers'];
    this.body = requestBody(message, response, expectsContinue);
    this.#scheme = scheme;
    this.#fallbackOrigin = fallbackOrigin;
  }

  get origin(): string {
    return originOf(this.#scheme, this.headers.host, this.#fallbackOrigin);
  }
}

/** The absolute form that proxies send: `GET http://host/v1/labels`. */
const withoutAuthority = (url: string) => url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
