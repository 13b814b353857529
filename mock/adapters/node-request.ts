import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest } from '../message.ts';
import { storagePath } from '../storage/target.ts';
import { hasBody, requestBody } from './node-message.ts';
import { forwardedOrigin, originOf, splitTarget } from './origin-of.ts';

/** Facts about the server that a request does not contain. */
export interface Reception {
  readonly scheme: 'http' | 'https';
  /** The server's own address, for clients that send no Host header. */
  readonly url: string;
  /** A path that proxies may leave in front of all others, without a slash at its end. */
  readonly basePath: string;
  /** Whether the headers of a proxy say which address the client used. */
  readonly trustProxy: boolean;
  readonly timeouts: { readonly idle: number; readonly body: number };
}

/** A request of node:http as an ApiRequest. A class, because a getter in an object literal is slow to create. */
export class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiRequest['headers'];
  readonly body: ApiRequest['body'];
  readonly #reception: Reception;
  readonly #target: string | null;

  constructor(message: IncomingMessage, response: ServerResponse, expectsContinue: boolean, reception: Reception) {
    const { path, origin } = splitTarget(message.url ?? '/');
    this.method = message.method ?? 'GET';
    this.url = below(path, reception.basePath);
    // node:http joins all repeated headers except set-cookie, which requests do not have.
    this.headers = message.headers as ApiRequest['headers'];
    // Most requests have no body and skip this.
    this.body = hasBody(message) ? timed(message, response, expectsContinue, this.url, reception) : null;
    this.#reception = reception;
    this.#target = origin;
  }

  get origin(): string {
    const { scheme, url, trustProxy } = this.#reception;
    const reached = this.#target ?? originOf(scheme, this.headers.host, url);
    return trustProxy ? forwardedOrigin(reached, this.headers) : reached;
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

/** The path without the base path, if it begins with it. */
function below(path: string, base: string): string {
  if (base === '' || !path.startsWith(base)) return path;
  const rest = path.slice(base.length);
  return /^[/?]/.test(rest) ? rest : rest === '' ? '/' : path;
}
