import { fillPath } from '../../spec/routes.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import type { Credential } from '../history/exchange.ts';
import type { DeployedOperation, Deployment, KeyOfTenant } from '../target/deployment.ts';
import type { Ask } from './ask.ts';
import type { HttpReply, HttpRequest } from './http.ts';

/** The headers of each credential. Only `key` authenticates. */
const headersFor: Readonly<
  Record<Credential, (secret: string, newId: () => string) => Readonly<Record<string, string>>>
> = {
  key: (secret) => ({ 'x-api-key': secret }),
  replaced: (secret) => ({ 'x-api-key': secret }),
  none: () => ({}),
  empty: () => ({ 'x-api-key': '' }),
  unknown: (_, newId) => ({ 'x-api-key': newId() }),
  bearer: (secret) => ({ authorization: `Bearer ${secret}` }),
  basic: (secret) => ({ authorization: `Basic ${btoa(`${secret}:`)}` }),
  authorization: (secret) => ({ authorization: secret }),
  query: () => ({}),
  cookie: (secret) => ({ cookie: `x-api-key=${secret}; api_key=${secret}` }),
  'other-header': (secret) => ({ 'api-key': secret, 'x-api-token': secret, apikey: secret }),
  'other-case': (secret) => ({
    'x-api-key': secret === secret.toUpperCase() ? secret.toLowerCase() : secret.toUpperCase(),
  }),
  'part-of-a-key': (secret) => ({ 'x-api-key': secret.slice(0, -1) }),
};

/** The secret under each of the usual names of such a parameter. */
const queryWith = (secret: string) =>
  ['x-api-key', 'api_key', 'apiKey', 'key'].map((name) => `${name}=${encodeURIComponent(secret)}`).join('&');

/** The HTTP request for an ask. @param headers that every request of this deployment carries */
export function requestOf(
  ask: Ask,
  key: KeyOfTenant | null,
  operation: DeployedOperation,
  { baseUrl, headers: always }: Pick<Deployment, 'baseUrl' | 'headers'>,
  newId: () => string,
): HttpRequest {
  const { params = {}, body, headers = {}, query = '', encoded, credential = 'key', chunked = false } = ask;
  const bytes = body === undefined ? null : toBytes(body);
  const all: Record<string, string> = { accept: 'application/json', ...always };
  if (bytes !== null) all['content-type'] = 'application/json';
  if (key !== null) Object.assign(all, headersFor[credential](key.secret, newId));
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) delete all[name];
    else all[name] = value;
  }
  const pathname = ask.path ?? fillPath(operation.path, params, encoded ? withEncodedStart : undefined);
  const search =
    credential === 'query' && key !== null ? `${query === '' ? '?' : `${query}&`}${queryWith(key.secret)}` : query;
  return {
    method: ask.method ?? operation.method,
    url: `${baseUrl}${pathname}${search}`,
    headers: all,
    body: bytes,
    ...(chunked && { chunked }),
  };
}

const withEncodedStart = (id: string) =>
  encodeURIComponent(id).replace(/^\w/, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

function toBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The upload URL in the reply to a start; null if it has no absolute URL. */
export function uploadUrlIn(reply: HttpReply | null): string | null {
  const { uploadUrl } = Object(jsonOrUndefined(new TextDecoder().decode(reply?.body))) as {
    readonly uploadUrl?: unknown;
  };
  return typeof uploadUrl === 'string' && isUrl(uploadUrl) ? uploadUrl : null;
}

/**
 * The URL with the first character of its signature changed; null where no parameter looks like a signature. With another URL, it gets the query of that
 * one; null if that makes no difference, or gives the other URL itself.
 */
export function tamperedUrl(url: string, other: string | null = null): string | null {
  const tampered = new URL(url);
  if (other !== null) {
    if (!isUrl(other)) return null;
    tampered.search = new URL(other).search;
    return [url, other].some((one) => new URL(one).href === tampered.href) ? null : tampered.href;
  }
  const name = [...tampered.searchParams.keys()].find((key) => /sig/i.test(key) && !/sign(ed|ing)/i.test(key));
  const signature = name === undefined ? null : tampered.searchParams.get(name);
  if (name === undefined || !signature) return null;
  tampered.searchParams.set(name, `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`);
  return tampered.href;
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);
