import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest } from '../message.ts';
import { requestBody } from './node-message.ts';
import { forwardedOrigin, splitTarget } from './origin-of.ts';

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
