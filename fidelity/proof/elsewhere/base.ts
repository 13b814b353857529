/** What all deployments written elsewhere share: how a request comes in, and where each has decided for itself. */
import { hash } from 'node:crypto';
import type { z } from 'zod';
import type { HttpReply, HttpRequest } from '../../../conformance/client/http.ts';
import { defaultSeeds } from '../../../mock/seed/generated/tenants.ts';
import type { LabelSeed, TenantSeed } from '../../../mock/seed/schema.ts';
import type { Target } from '../../../spec/files/target.ts';
import { operationList } from '../../../spec/operations.ts';
import { createRouter } from '../../../spec/routes.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';

/** Whose records a deployment holds. */
export type Partner = TenantSeed;
export type Label = LabelSeed;
export const partners: readonly Partner[] = defaultSeeds;

interface Inbound {
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

/** Why a request is refused: status, code and words of who decides as is assumed. */
const refusals = {
  key: [403, 'FORBIDDEN', 'Access denied'],
  scope: [403, 'FORBIDDEN', 'The key may not do this'],
  path: [404, 'NOT_FOUND', 'Nothing is here'],
  method: [405, 'METHOD_NOT_ALLOWED', 'Not with this method'],
  record: [404, 'NOT_FOUND', 'There is no such record'],
  label: [404, 'NOT_FOUND', 'There is no such label'],
  id: [400, 'BAD_REQUEST', 'This is no id'],
  json: [400, 'BAD_REQUEST', 'The body cannot be read'],
  content: [400, 'BAD_REQUEST', 'The body is not what is wanted'],
  early: [422, 'UNPROCESSABLE_ENTITY', 'Nothing was uploaded yet'],
  twice: [409, 'CONFLICT', 'This was registered before'],
  large: [413, 'PAYLOAD_TOO_LARGE', 'The body is too large'],
} as const;

type Why = keyof typeof refusals;

/** What the specification does not say, and one deployment has decided. */
export interface Choices {
  /** Where the paths differ from what is assumed, as in a target file. */
  readonly operations: Target['operations'];
  /** Status and code of each refusal that differs. */
  readonly refusals: Readonly<Partial<Record<Why, readonly [status: number, code: string]>>>;
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

export const record = ({ id, name }: Label) => ({ id, name });

const usual: Choices = {
  operations: {},
  refusals: {},
  item: record,
  listed: (labels) => ({ labels: labels.map(record) }),
  carried: (labels, holder) => ({ ...holder, labels: labels.map(record) }),
  registered: 201,
  stored: 200,
  retryAfter: (milliseconds) => Math.max(1, Math.ceil(milliseconds / 1000)),
  headers: {},
  gateway: (code) => ({ error: { code, message: 'Access denied' } }),
};

/** Thrown to refuse; its message says why. */
class Refused extends Error {}

export const refuse = (why: Why): never => {
  throw new Refused(why);
};

function refusalOf({ refusals: own, gateway }: Choices, why: Why): Outbound {
  const [status, code] = own[why] ?? refusals[why];
  const [, , message] = refusals[why];
  return { status, body: why === 'key' ? gateway(code) : { error: { code, message } } };
}

/** A body in JSON that was declared as such, and is of this form. */
export function bodyIn<T>({ headers, body }: Inbound, form: z.ZodType<T>): T {
  const value = jsonOrUndefined(new TextDecoder().decode(body ?? new Uint8Array()));
  if (!/json/i.test(headers['content-type'] ?? '') || value === undefined) refuse('json');
  return form.safeParse(value).data ?? refuse('content');
}

/** A store that takes bytes at signed URLs, and what was started and registered. */
function fileStore(choices: Choices) {
  const all = new Map<string, Started>();
  return {
    start(owner: string, site: string, contentType: string, now: number): Outbound {
      const fileKey = `f11e0000-0000-4000-8000-${String(all.size + 1).padStart(12, '0')}`;
      const ends = now + 300_000;
      const uploadUrl = `http://store.elsewhere.example/${fileKey}?ends=${ends}&signature=${hash('sha256', fileKey)}`;
      all.set(fileKey, { owner, site, contentType, uploadUrl, ends });
      return { status: 201, body: { fileKey, uploadUrl, uploadUrlExpiresAt: new Date(ends).toISOString() } };
    },

    put({ url, headers, body, now, method }: Inbound): Outbound {
      const file = all.get(url.pathname.slice(1));
      const isSigned = file?.uploadUrl === url.href && file.contentType === headers['content-type'];
      if (method !== 'PUT' || !isSigned || file.ends <= now)
        return {
          status: 403,
          headers: { 'content-type': 'application/xml' },
          body: '<Error><Code>AccessDenied</Code></Error>',
        };
      file.size = body?.length ?? 0;
      return { status: choices.stored, headers: { etag: `"${hash('md5', body ?? '')}"` } };
    },

    /** @param again what is answered to the second time: a refusal, or the first reply */
    register(
      { partner, request: { now } }: Call,
      siteId: string,
      fileKey: string,
      { again = 'refused', ...more }: { readonly again?: 'refused' | 'the same'; readonly name?: null } = {},
    ): Outbound {
      const file = all.get(fileKey);
      if (file === undefined || file.owner !== partner.tenant || file.site !== siteId) return refuse('record');
      const { contentType, size = refuse('early') } = file;
      if (file.registered && again === 'refused') refuse('twice');
      file.registered ??= { fileKey, siteId, ...more, contentType, size, createdAt: new Date(now).toISOString() };
      return { status: choices.registered, body: file.registered };
    },
  };
}

interface Started {
  readonly owner: string;
  readonly site: string;
  readonly contentType: string;
  readonly uploadUrl: string;
  readonly ends: number;
  size?: number;
  registered?: object;
}

const maxBody = 10 * 1024 * 1024;
const perSecond = 10;

/** A limit for each key, by the time at which its next request is due. @returns milliseconds to wait; 0 lets it pass */
function limiter(burst = 20): (key: string, now: number) => number {
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

/** A request that an operation is to answer. */
export interface Call {
  readonly partner: Partner;
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly request: Inbound;
  readonly files: ReturnType<typeof fileStore>;
}

/** How a deployment is built. It knows keys before anything else. */
export interface Kind {
  /** In which order it checks a request. `records`: ids and records, where they are checked before the operation. */
  readonly order: readonly ('rate' | 'size' | 'route' | 'records' | 'scope')[];
  readonly burst?: number;
  /** What it says where only other methods are: which ones, that it is none of them, or that nothing is there. */
  readonly otherMethods: 'named' | 'refused' | 'unknown';
  readonly records: (call: Call) => unknown;
  readonly answers: (choices: Choices) => (call: Call) => Outbound;
}

/** A deployment of this kind: it keeps its state and answers HTTP. @param own what it has decided otherwise than is assumed */
export function serving(kind: Kind, own: Partial<Choices>, now: () => number): (request: HttpRequest) => HttpReply {
  const choices = { ...usual, ...own };
  const files = fileStore(choices);
  const wait = limiter(kind.burst);
  const answer = kind.answers(choices);
  const routes = operationList.map((assumed) => ({ ...assumed, ...choices.operations[assumed.id] }));
  const { match } = createRouter(routes);
  const answered = (request: Inbound): Outbound => {
    const { url, headers, method } = request;
    const secret = headers['x-api-key'];
    const isValid = (key: Partner['keys'][number]) => key.secret === secret && !key.revoked;
    const partner = partners.find(({ keys }) => keys.some(isValid));
    const key = partner?.keys.find(isValid);
    if (partner === undefined || key === undefined) return refuse('key');
    const route = match(method, url.pathname);
    if (route.kind === 'malformed') return refuse('id');
    const { id: operation, params } = route.kind === 'found' ? route : { id: '', params: {} };
    const call = { partner, operation, params, request, files };
    const checks: Record<Kind['order'][number], () => unknown> = {
      rate() {
        const early = wait(key.secret, request.now);
        const retryAfter = { 'retry-after': String(choices.retryAfter(early)) };
        return early > 0 && { status: 429, headers: retryAfter, body: { message: 'Too Many Requests' } };
      },
      size: () => (request.body?.length ?? 0) > maxBody && refuse('large'),
      route() {
        if (route.kind === 'found') return null;
        if (route.kind === 'notFound' || kind.otherMethods === 'unknown') return refuse('path');
        const allow = kind.otherMethods === 'named' && { headers: { allow: route.allow.join(', ') } };
        return { ...refusalOf(choices, 'method'), ...allow };
      },
      records: () => kind.records(call) && null,
      scope: () =>
        routes.find(({ id }) => id === operation)?.scopes.some((one) => !key.scopes.includes(one)) && refuse('scope'),
    };
    for (const check of kind.order) {
      const refused = checks[check]();
      if (refused) return refused as Outbound;
    }
    return answer(call);
  };
  return ({ method, url, headers: given, body: bytes }) => {
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
    const request = { method, url: new URL(url), headers, body: bytes, now: now() };
    const isOfStore = url.startsWith('http://store.');
    let reply: Outbound;
    try {
      reply = isOfStore ? files.put(request) : answered(request);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reply = refusalOf(choices, error.message as Why);
    }
    const { body = '', status } = reply;
    const type: Record<string, string> = typeof body === 'string' ? {} : { 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return {
      status,
      headers: { ...type, ...(!isOfStore && choices.headers), ...reply.headers },
      body: new TextEncoder().encode(method === 'HEAD' ? '' : text),
    };
  };
}
