import type { ApiReply, ApiRequest } from './message.ts';

/**
 * Any page may call the mock, because every request needs a key and cookies are ignored. A browser that sends credentials takes
 * no `*`, so the page is named.
 */
const allowed = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'Retry-After, ETag, Allow',
  vary: 'Origin',
});

/** The reply to a browser's preflight, which has no key. Null for all other requests. */
export function preflightReply({ method, headers }: ApiRequest): ApiReply | null {
  const wanted = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || headers.origin === undefined || wanted === undefined) return null;
  return {
    status: 204,
    headers: {
      ...allowed(headers.origin),
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
      'access-control-max-age': '600',
    },
    body: null,
  };
}

/** Adds the headers that let a page read the reply, if the request has an `Origin` header. */
export function withCors(reply: ApiReply, { headers }: ApiRequest): ApiReply {
  return headers.origin === undefined ? reply : { ...reply, headers: { ...reply.headers, ...allowed(headers.origin) } };
}
