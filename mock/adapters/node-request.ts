import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest } from '../message.ts';
import { storagePath } from '../storage/target.ts';
import { hasBody, requestBody } from './node-message.ts';
import { originOf } from './origin-of.ts';

/** Facts about the server that a request does not contain. */
export interface Reception {
  readonly scheme: 'http' | 'https';
  /** The server's own address, for clients that send no Host header. */
  readonly url: string;
  readonly timeouts: { readonly idle: number; readonly body: number };
}

/** A request of node:http as an ApiRequest. A class, because a getter in an object literal is slow to create. */
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
    // node:http joins all repeated headers except set-cookie, which requests do not have.
    this.headers = message.headers as ApiRequest['headers'];
    // Most requests have no body and skip this.
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

/** Removes scheme and host from the absolute form that proxies send: `GET http://host/v1/labels`. */
const withoutAuthority = (url: string) => url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
