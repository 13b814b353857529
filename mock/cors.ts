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

/** The reply to a browser's preflight, which has no key. Null for every other OPTIONS. */
export function preflightReply({ headers }: ApiRequest): ApiReply | null {
  if (headers.origin === undefined || headers['access-control-request-method'] === undefined) return null;
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

/** Adds the headers that let a page of this origin read the reply. */
export const withCors = (reply: ApiReply, origin: string): ApiReply => ({
  ...reply,
  headers: { ...reply.headers, ...allowed(origin) },
});
