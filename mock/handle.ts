import type { OperationId } from '../spec/operations.ts';
import type { RouteMatch } from '../spec/routes.ts';
import type { RateLimit } from './keys/bucket.ts';
import type { ApiKey, KeyRing } from './keys/key-ring.ts';
import { type ApiReply, type ApiRequest, recurringJson } from './message.ts';
import { operations } from './operations/generated/operations.ts';
import type { Behaviour } from './profile/behaviour.ts';
import type { DeployedOperation } from './profile/contract.ts';
import { Refusal, type RefusalCase, refuse, throttledBody } from './refusal.ts';
import { createReplies } from './replies.ts';
import { checkPathParameters } from './request/path-parameters.ts';
import { preferredReply } from './request/preferred-reply.ts';
import { readBody } from './request/read-body.ts';
import { parseJsonBody } from './request/request-body.ts';
import { foundElsewhere } from './store/found-elsewhere.ts';
import type { Tenant } from './store/tenant.ts';
import { newTrace, type Trace } from './trace.ts';

/** One request in, one reply out; synchronous unless there is a body to read. Never throws. */
type Handle = (request: ApiRequest, trace?: Trace) => ApiReply | Promise<ApiReply>;

interface HandleOptions {
  readonly keys: KeyRing;
  readonly tenants: ReadonlyMap<string, Tenant>;
  readonly now: () => number;
  readonly newId: () => string;
  /** What this deployment does where the specification is silent. */
  readonly behaviour: Behaviour;
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
  readonly presign: (
    file: { fileKey: string; contentType: string },
    tenant: Tenant,
    origin: string,
  ) => { url: string; expiresAt: number };
  /** The reply of a fault that strikes this request in place of its operation; null where none does. */
  readonly fault: (request: ApiRequest, trace: Trace) => ApiReply | null;
  /** Told of errors that are ours; the client gets a plain 500. */
  readonly onError: (error: unknown) => void;
}

/** The whole order of judgement: key, rate, size, route, scope, body and parameters, then the operation itself. */
export function createHandle(options: HandleOptions): Handle {
  const { keys, tenants, now, bodyLimit, behaviour, onError } = options;
  const { contract, router, reshape } = behaviour;
  const replyOf = createReplies(reshape);

  const failed = (error: unknown, trace: Trace): ApiReply => {
    if (!(error instanceof Refusal)) onError(error);
    const thrown =
      error instanceof Refusal
        ? error
        : new Refusal('internal-error', 'The mock itself failed; see the error in its log.');
    const refusal = foundElsewhere(thrown, trace.tenant, tenants) ?? thrown;
    trace.refused = refusal.case;
    trace.why = refusal.detail ?? refusal.message;
    return behaviour.refusalReply(refusal, trace.operationId);
  };

  const serve = (
    request: ApiRequest,
    key: ApiKey,
    route: RouteMatch<OperationId>,
    bytes: Uint8Array | null,
    trace: Trace,
  ): ApiReply => {
    const struck = options.fault(request, trace);
    if (struck !== null) return struck;
    if (route.kind === 'notFound') refuse('unknown-path', `No operation at ${pathOf(request.url)}.`);
    if (route.kind === 'malformed') refuse('malformed-path', `path.${route.parameter} is not valid percent-encoding.`);
    if (route.kind === 'methodNotAllowed') {
      const allow = route.allow.join(', ');
      throw new Refusal('wrong-method', `${request.method} is not allowed here; allowed: ${allow}.`, {
        headers: { allow },
      });
    }
    const operation = contract[route.id] ?? refuse('unknown-path', `No operation at ${pathOf(request.url)}.`);
    const preferred = preferredReply(request.headers.prefer, operation);
    if (preferred !== null) {
      trace.refused = 'preferred';
      trace.why = preferred.why;
      return preferred.reply;
    }
    // A deployment may have scopes that the contract does not name.
    const carried: ReadonlySet<string> = key.scopes;
    for (const scope of operation.scopes) {
      if (!carried.has(scope)) {
        const detail = `key \`${key.name}\` lacks \`${scope}\``;
        throw new Refusal('missing-scope', 'Operation not allowed', { detail });
      }
    }
    const body = operation.hasBody ? parseJsonBody(route.id, request.headers['content-type'], bytes) : undefined;
    checkPathParameters(route.id, route.params);
    return run(operation, request, key, route.params, body);
  };

  const run = (
    { id, success }: DeployedOperation,
    request: ApiRequest,
    key: ApiKey,
    params: unknown,
    requestBody: unknown,
  ): ApiReply => {
    const tenant = tenants.get(key.tenant);
    if (tenant === undefined) throw new Error(`key ${key.id} belongs to no tenant`);
    // Params and body were validated against the contract of this very id, which the compiler cannot follow.
    const operation = operations[id] as (call: unknown) => unknown;
    let status = success;
    const body = operation({
      tenant,
      params,
      body: requestBody,
      now: now(),
      newId: options.newId,
      permits: (refusalCase: RefusalCase) => {
        const permitted = behaviour.permits[refusalCase];
        status = permitted ?? status;
        return permitted !== undefined;
      },
      presign: (file: { fileKey: string; contentType: string }) => options.presign(file, tenant, request.origin),
    });
    return replyOf(id, status, body, tenant);
  };

  return (request, trace = newTrace()) => {
    try {
      // Known before anything is refused, so that a journal can tell which operation it was about.
      const route = router.match(request.method, pathOf(request.url));
      if ('id' in route) trace.operationId = route.id;
      const key = authenticate(keys, request.headers, trace);
      const at = now();
      key.lastUsedAt = at;
      const wait = key.bucket.take(at);
      if (wait > 0) {
        trace.refused = 'throttled';
        trace.why = whyThrottled(keys.limitOf(key));
        return throttled(behaviour.retryAfter(wait));
      }
      if (request.body === null) return serve(request, key, route, null, trace);
      return readBody(request.body, request.headers['content-length'], bodyLimit)
        .then((bytes) => {
          trace.body = bytes;
          // While the body came the key may have been revoked, or the whole state replaced: one state serves a request.
          const current = authenticate(keys, request.headers, trace);
          return serve(request, current, route, bytes, trace);
        })
        .catch((error: unknown) => failed(error, trace));
    } catch (error) {
      return failed(error, trace);
    }
  };
}

const throttledFor = (seconds: number) => recurringJson(429, throttledBody(), { 'retry-after': String(seconds) });

/** The words for the limit that throttled last: mostly the same as before, and numbers take long to write. */
let usedUp: { readonly limit: RateLimit | null; readonly why: string } = { limit: null, why: '' };

function whyThrottled(limit: RateLimit): string {
  if (usedUp.limit !== limit) {
    const why = `${limit.perSecond} requests per second with a burst of ${limit.burst} are used up.`;
    usedUp = { limit, why };
  }
  return usedUp.why;
}

/** Hardly anybody waits longer than an hour; all replies up to there take less than a megabyte. */
function throttled(seconds: number): ApiReply {
  if (seconds > 3600) return throttledFor(seconds);
  throttledReplies[seconds] ??= throttledFor(seconds);
  return throttledReplies[seconds];
}

const throttledReplies: ApiReply[] = [];

/** The key of a request, noted in the trace; a revoked one too, so that a journal can name it. */
function authenticate(keys: KeyRing, headers: ApiRequest['headers'], trace: Trace): ApiKey {
  const secret = headers['x-api-key'];
  if (secret === undefined || secret === '') {
    if (headers.authorization !== undefined) {
      refuse('bearer-only', 'Authorization is not supported; send the API key in the x-api-key header.');
    }
    refuse('no-key', 'No API key; send it in the x-api-key header.');
  }
  const key = keys.recognise(secret) ?? refuse('unknown-key', 'This API key is not recognised.');
  trace.key = key;
  trace.tenant = key.tenant;
  if (key.revoked) refuse('revoked-key', 'This API key was revoked.');
  return key;
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
