import { type HttpHandler, http } from 'msw';
import type { Mock } from '../create-mock.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import { refusePassthrough } from '../passthrough.ts';
import { partnerPath } from '../paths.ts';
import { setTimeout } from './real-timers.ts';

/** Options of the handlers. */
export interface PartnerHandlersOptions {
  /**
   * The address at which the code under test calls the API, for example `https://connect.example.com`. It may have a path.
   * Upload URLs start with it too. In a browser it may be relative to the page.
   */
  readonly baseUrl: string;
}

/**
 * The mock as handlers of msw, for `setupServer` in Node and `setupWorker` in browsers. They answer `/v1` and the storage
 * target below `baseUrl` and nothing else, so mocks with different base URLs can be used together.
 * @throws TypeError if `baseUrl` is not an absolute http(s) URL (in a browser: cannot be resolved to one)
 * @throws ConfigurationError for a mock with `passthrough`
 */
export function partnerHandlers(mock: Mock, { baseUrl }: PartnerHandlersOptions): HttpHandler[] {
  // msw would catch the requests to the deployment too.
  refusePassthrough(mock, 'in msw, which passes on what it has no handler for');
  const { origin, path } = splitBase(baseUrl);

  const base = (origin + path).replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  const pattern = new RegExp(`^${base}${partnerPath.source.slice(1)}`);
  /** Path and query below the base. */
  const below = (url: string): string => {
    const { pathname, search } = new URL(url);
    return pathname.slice(path.length) + search;
  };

  return [
    // The pattern matches only paths of the mock below the base. msw reports all other requests as unhandled.
    http.all(pattern, async ({ request }) => {
      const reply = await mock.handle(apiRequest(request, below(request.url), origin + path));
      if (reply.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delay));
      return response(reply);
    }),
  ];
}

function splitBase(baseUrl: string): { origin: string; path: string } {
  const page = globalThis.location?.href;
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl ${JSON.stringify(baseUrl)}: give an absolute URL such as https://connect.example.com`);
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
}

function apiRequest(request: Request, url: string, origin: string): ApiRequest {
  return {
    method: request.method,
    url,
    origin,
    headers: {
      host: new URL(origin).host,
      // As fetch sends it over a network. Node and browsers leave it out of the request that msw gets.
      ...(request.body === null && request.method !== 'GET' && { 'content-length': '0' }),
      ...Object.fromEntries(request.headers),
    },
    body: request.body === null ? null : chunksOf(request.body),
  };
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // Not awaited: msw holds a copy of the stream, and `cancel` resolves only when the copy is cancelled too.
    reader.cancel().catch(() => {});
  }
}

function response({ status, headers, body, broken }: ApiReply): Response {
  // msw cannot send half a reply, so a truncated reply becomes a network error.
  return broken === undefined ? new Response(body, { status, headers }) : Response.error();
}
