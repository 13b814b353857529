import type { ApiReply, ApiRequest } from './message.ts';

/** Any page may call the mock: a key is needed all the same, and no cookie is ever looked at. */
const allowed = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, ETag, Allow',
});

/** The reply to a browser's preflight, which carries no key and must not be asked for one; null for all other requests. */
export function preflightReply({ method, headers }: ApiRequest): ApiReply | null {
  const wanted = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || headers.origin === undefined || wanted === undefined) return null;
  return {
    status: 204,
    headers: {
      ...allowed,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': '600',
    },
    body: null,
  };
}

/** A reply that the page which asked may read; without an `Origin` header nobody needs to be told. */
export function withCors(reply: ApiReply, { headers }: ApiRequest): ApiReply {
  return headers.origin === undefined ? reply : { ...reply, headers: { ...reply.headers, ...allowed } };
}
