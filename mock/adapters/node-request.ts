import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest } from '../message.ts';
import { storagePath } from '../storage/target.ts';
import { hasBody, requestBody } from './node-message.ts';
import { originOf } from './origin-of.ts';

/** What a request does not say itself. */
export interface Reception {
  readonly scheme: 'http' | 'https';
  /** Our own address, where the client does not say which host it means. */
  readonly url: string;
  readonly timeouts: { readonly idle: number; readonly body: number };
}

/** A request of node:http as ours. A class, because a getter in an object made for every request costs more than all the rest of it. */
export class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiRequest['headers'];
  readonly body: ApiRequest['body'];
  readonly #reception: Reception;

  constructor(message: IncomingMessage, response: ServerResponse, expectsContinue: boolean, reception: Reception) {
    const url = message.url ?? '/';
    this.method = message.method ?? 'GET';
    this.url = url.startsWith('/') ? url : withoutAuthority(url);
    // node:http joins every header that may come twice, but for set-cookie, which requests do not carry.
    this.headers = message.headers as ApiRequest['headers'];
    // Most requests have no body, and cost nothing here.
    this.body = hasBody(message) ? timed(message, response, expectsContinue, this.url, reception) : null;
    this.#reception = reception;
  }

  get origin(): string {
    return originOf(this.#reception.scheme, this.headers.host, this.#reception.url);
  }
}

function timed(
  message: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
  url: string,
  { timeouts: { idle, body } }: Reception,
): ApiRequest['body'] {
  const whole = url.startsWith(storagePath) ? Number.POSITIVE_INFINITY : body;
  return requestBody(message, response, expectsContinue, { idle, whole });
}

/** The absolute form that proxies send: `GET http://host/v1/labels`. */
const withoutAuthority = (url: string) => url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
