/** What all deployments written elsewhere share: how a request comes in, and where each has decided for itself. */
import { createHash, createHmac } from 'node:crypto';
import type { HttpReply, HttpRequest } from '../../../conformance/client/http.ts';
import type { Label } from './world.ts';

export interface Inbound {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Outbound {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown;
}

/** A deployment: it keeps its state and answers. */
export type Service = (request: Inbound) => Outbound;

/** Why a request is refused. */
export type Why =
  | 'key'
  | 'scope'
  | 'path'
  | 'method'
  | 'record'
  | 'label'
  | 'id'
  | 'json'
  | 'content'
  | 'early'
  | 'twice'
  | 'large';

/** What the specification does not say, and one deployment has decided. */
export interface Choices {
  /** Where the paths differ from what is assumed, as in a target file. */
  readonly operations: Readonly<
    Record<string, { readonly method?: string; readonly path?: string; readonly scopes?: readonly string[] }>
  >;
  /** Status and code of each refusal. */
  readonly refusals: Readonly<Record<Why, readonly [status: number, code: string]>>;
  /** A label in a list of records. */
  readonly item: (label: Label) => object;
  /** The labels of `GET /v1/labels`, and those in the reply of a write. */
  readonly listed: (labels: readonly Label[]) => unknown;
  readonly carried: (labels: readonly Label[], holder: Readonly<Record<string, string>>) => unknown;
  readonly registered: number;
  readonly stored: number;
  /** Seconds to wait. */
  readonly retryAfter: (milliseconds: number) => number;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of a refusal by the gateway, which knows keys only. */
  readonly gateway: (code: string) => unknown;
}

const record = ({ id, name }: Label) => ({ id, name });

export const usual: Choices = {
  operations: {},
  refusals: {
    key: [403, 'FORBIDDEN'],
    scope: [403, 'FORBIDDEN'],
    path: [404, 'NOT_FOUND'],
    method: [405, 'METHOD_NOT_ALLOWED'],
    record: [404, 'NOT_FOUND'],
    label: [404, 'NOT_FOUND'],
    id: [400, 'BAD_REQUEST'],
    json: [400, 'BAD_REQUEST'],
    content: [400, 'BAD_REQUEST'],
    early: [422, 'UNPROCESSABLE_ENTITY'],
    twice: [409, 'CONFLICT'],
    large: [413, 'PAYLOAD_TOO_LARGE'],
  },
  item: record,
  listed: (labels) => ({ labels: labels.map(record) }),
  carried: (labels, holder) => ({ ...holder, labels: labels.map(record) }),
  registered: 201,
  stored: 200,
  retryAfter: (milliseconds) => Math.max(1, Math.ceil(milliseconds / 1000)),
  headers: {},
  gateway: (code) => ({ error: { code, message: 'Access denied' } }),
};

/** Thrown to refuse. */
class Refused extends Error {
  readonly why: Why;
  constructor(why: Why) {
    super(why);
    this.why = why;
  }
}

export const refuse = (why: Why): never => {
  throw new Refused(why);
};

const words: Readonly<Record<Why, string>> = {
  key: 'Access denied',
  scope: 'The key may not do this',
  path: 'Nothing is here',
  method: 'Not with this method',
  record: 'There is no such record',
  label: 'There is no such label',
  id: 'This is no id',
  json: 'The body cannot be read',
  content: 'The body is not what is wanted',
  early: 'Nothing was uploaded yet',
  twice: 'This was registered before',
  large: 'The body is too large',
};

export function refusalOf({ refusals, gateway }: Choices, why: Why): Outbound {
  const [status, code] = refusals[why];
  return { status, body: why === 'key' ? gateway(code) : { error: { code, message: words[why] } } };
}

/** The address of every operation. */
const addresses: Readonly<Record<string, readonly [method: string, path: string, scopes: readonly string[]]>> = {
  getHealth: ['GET', '/v1/health', []],
  listLabels: ['GET', '/v1/labels', []],
  getConversation: ['GET', '/v1/conversation/{id}', ['conversation:read']],
  getConversationContext: ['GET', '/v1/conversation/{id}/context', ['conversation:read']],
  applyConversationLabel: ['PUT', '/v1/conversation/{id}/label/{labelId}', ['conversation:write']],
  removeConversationLabel: ['DELETE', '/v1/conversation/{id}/label/{labelId}', ['conversation:write']],
  getSite: ['GET', '/v1/site/{id}', ['site:read']],
  applySiteLabel: ['PUT', '/v1/site/{id}/label/{labelId}', ['site:write']],
  removeSiteLabel: ['DELETE', '/v1/site/{id}/label/{labelId}', ['site:write']],
  startSiteFileUpload: ['POST', '/v1/site/{id}/file/upload-url', ['siteFile:write']],
  registerSiteFile: ['POST', '/v1/site/{id}/file', ['siteFile:write']],
  getClient: ['GET', '/v1/client/{id}', ['client:read']],
  applyClientSiteLabel: ['PUT', '/v1/client/{clientId}/site/{siteId}/label/{labelId}', ['client:write', 'site:write']],
  removeClientSiteLabel: [
    'DELETE',
    '/v1/client/{clientId}/site/{siteId}/label/{labelId}',
    ['client:write', 'site:write'],
  ],
};

export interface Route {
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
}

/** The operation of a request; the methods of the path where none has this one. */
export function routed({ operations }: Choices, method: string, pathname: string): Route | readonly string[] {
  const methods: string[] = [];
  for (const [operation, [ownMethod, ownPath, ownScopes]] of Object.entries(addresses)) {
    const { path = ownPath, method: wanted = ownMethod, scopes = ownScopes } = operations[operation] ?? {};
    const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
    const found = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname);
    if (found === null) continue;
    if (wanted !== method) methods.push(wanted);
    else {
      const values = found.slice(1).map((text) => {
        try {
          return decodeURIComponent(text);
        } catch {
          return refuse('id');
        }
      });
      return { operation, scopes, params: Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])) };
    }
  }
  return methods;
}

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** An object in JSON that was declared as such. */
export function jsonIn({ headers, body }: Inbound): Readonly<Record<string, unknown>> {
  if (!/json/i.test(headers['content-type'] ?? '')) refuse('json');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body ?? new Uint8Array()));
  } catch {
    refuse('json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse('content');
  return value as Readonly<Record<string, unknown>>;
}

/** The content type of a start, which is all that its body may have. */
export function contentTypeIn(request: Inbound): string {
  const { contentType, ...more } = jsonIn(request);
  if (typeof contentType !== 'string' || contentType === '' || Object.keys(more).length > 0) refuse('content');
  return contentType as string;
}

const fiveMinutes = 300_000;

/** A store that takes bytes at signed URLs. What was stored is asked for by its fileKey. */
export function store(status: number) {
  const bytes = new Map<string, number>();
  let count = 0;
  const sign = (text: string) => createHmac('sha256', 'a secret of the store').update(text).digest('hex');
  return {
    sizeOf: (fileKey: string) => bytes.get(fileKey),
    issue(contentType: string, now: number) {
      const fileKey = `f11e0000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
      const ends = now + fiveMinutes;
      const uploadUrl = `http://store.elsewhere.example/${fileKey}?ends=${ends}&signature=${sign(`${fileKey} ${ends} ${contentType}`)}`;
      return { fileKey, uploadUrl, uploadUrlExpiresAt: new Date(ends).toISOString() };
    },
    put({ url, headers, body, now, method }: Inbound): Outbound {
      const fileKey = url.pathname.slice(1);
      const ends = url.searchParams.get('ends') ?? '';
      const signature = sign(`${fileKey} ${ends} ${headers['content-type'] ?? ''}`);
      const isRight = method === 'PUT' && signature === url.searchParams.get('signature') && Number(ends) > now;
      if (!isRight)
        return {
          status: 403,
          headers: { 'content-type': 'application/xml' },
          body: '<Error><Code>AccessDenied</Code></Error>',
        };
      bytes.set(fileKey, body?.length ?? 0);
      return {
        status,
        headers: {
          etag: `"${createHash('md5')
            .update(body ?? '')
            .digest('hex')}"`,
        },
      };
    },
  };
}

const maxBody = 10 * 1024 * 1024;
export const isTooLarge = ({ body }: Inbound): boolean => (body?.length ?? 0) > maxBody;

/** A bucket for each key: `burst` at once, and the rate ever after. @returns milliseconds to wait; 0 lets it pass */
export function buckets({ perSecond = 10, burst = 20 } = {}): (key: string, now: number) => number {
  const levels = new Map<string, { tokens: number; at: number }>();
  return (key, now) => {
    const { tokens, at } = levels.get(key) ?? { tokens: burst, at: now };
    const filled = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
    const passes = filled >= 1;
    levels.set(key, { tokens: passes ? filled - 1 : filled, at: now });
    return passes ? 0 : ((1 - filled) / perSecond) * 1000;
  };
}

/** The same limit by the time at which the next request is due, without tokens. */
export function dueTimes({ perSecond = 10, burst = 20 } = {}): (key: string, now: number) => number {
  const due = new Map<string, number>();
  const step = 1000 / perSecond;
  return (key, now) => {
    const next = Math.max(due.get(key) ?? 0, now);
    const early = next - now - step * (burst - 1);
    if (early > 1e-6) return early;
    due.set(key, next + step);
    return 0;
  };
}

export const throttledBy = ({ retryAfter }: Choices, wait: number): Outbound => ({
  status: 429,
  headers: { 'retry-after': String(retryAfter(wait)) },
  body: { message: 'Too Many Requests' },
});

/** A service as something that answers HTTP. */
export function answering(service: Service, choices: Choices, now: () => number): (request: HttpRequest) => HttpReply {
  return ({ method, url, headers, body }) => {
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    let reply: Outbound;
    try {
      reply = service({ method, url: new URL(url), headers: lower, body, now: now() });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reply = refusalOf(choices, error.why);
    }
    const isText = typeof reply.body === 'string';
    const text = reply.body === undefined ? '' : isText ? String(reply.body) : JSON.stringify(reply.body);
    const type: Record<string, string> =
      isText || reply.body === undefined ? {} : { 'content-type': 'application/json' };
    return {
      status: reply.status,
      headers: { ...type, ...(!url.startsWith('http://store.') && choices.headers), ...reply.headers },
      body: new TextEncoder().encode(method === 'HEAD' ? '' : text),
    };
  };
}
