import type { Check } from '../spec/checks.ts';
import type { Operation, OperationId } from '../spec/operations.ts';
import { meantPath, type RouteMatch } from '../spec/routes.ts';
import { preflightReply, withCors } from './cors.ts';
import { sampleOf } from './faults/status-reply.ts';
import type { ApiKey, KeyRing } from './keys/key-ring.ts';
import { type ApiReply, type ApiRequest, json, withoutBody } from './message.ts';
import { About, operations } from './operations.ts';
import type { Parts } from './parts.ts';
import { type Deployment, goesThrough } from './passthrough.ts';
import { isPartnerPath, plainPath, storagePath } from './paths.ts';
import { Refusal, type RefusalCase, refuse, throttledReply } from './refusal.ts';
import { KeptReplies } from './replies.ts';
import { checkPathParameters, parseJsonBody, readBody } from './request/check-request.ts';
import { preferredReply } from './request/preferred-reply.ts';
import type { StorageTarget } from './storage/target.ts';
import { foundElsewhere, labelOf, recordOf } from './store/find.ts';
import type { Tenant } from './store/tenant.ts';
import { Trace } from './trace.ts';

type Body = NonNullable<ApiRequest['body']>;
/** Answers one request. Never throws. */
type Handle = (request: ApiRequest, trace?: Trace) => Promise<ApiReply>;

/** A request whose key is known. */
interface Known {
  readonly request: ApiRequest;
  readonly key: ApiKey;
  readonly route: RouteMatch<OperationId>;
  readonly trace: Trace;
  /** When it came, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Checks a request in this order: key, rate, size, route, fault, scope, body, ids, record and label. Then it runs the operation. A profile may
 * have another order. The storage target checks its requests itself.
 */
export function createHandle(parts: Parts, storage: StorageTarget) {
  const { keys, tenants, bodyLimit, behaviour, faults, journal, deployment, delay, onError } = parts;
  const { now } = parts.clock;
  const { contract, router, reshape, order } = behaviour;
  const paths = Object.values(contract).map(({ path }) => path);
  const kept = new KeptReplies();

  const replyOf = (id: OperationId, status: number, body: unknown, tenant: Tenant, url = '') =>
    json(status, reshape === null ? body : reshape(id, body, tenant, url));

  const failed = (error: unknown, trace: Trace): ApiReply => {
    if (!(error instanceof Refusal)) onError(error);
    const thrown =
      error instanceof Refusal
        ? error
        : new Refusal('internal-error', 'The mock itself failed; see the error in its log.');
    const refusal = foundElsewhere(thrown, trace.tenant, tenants) ?? thrown;
    trace.refuse(refusal.case, refusal.more.detail ?? refusal.message);
    return behaviour.refusalReply(refusal, trace.operationId);
  };

  /** @param bytes of the body; null if it has none */
  const serve = (known: Known, bytes: Uint8Array | null): ApiReply => {
    const { request, key, route, trace } = known;
    if (route.kind === 'malformed') refuse('malformed-path', `path.${route.parameter} is not valid percent-encoding.`);
    const faultReply = faults.strike(request, trace, route.kind === 'found');
    if (faultReply !== null) return withSample(faultReply, key, trace);
    const { operation, params } = routed(known);
    const { prefer } = request.headers;
    const preferred = prefer === undefined ? null : preferredReply(prefer, operation);
    if (preferred !== null) {
      trace.refuse('preferred', preferred.why);
      return withSample(preferred.reply, key, trace);
    }
    return run(operation, known, params, check(order.read, known, bytes));
  };

  /** The operation of a request. @throws Refusal where no path or method is like this */
  const routed = ({ request, route }: Known) => {
    if (route.kind === 'methodNotAllowed') {
      const allow = route.allow.join(', ');
      throw new Refusal('wrong-method', `${request.method} is not allowed here; allowed: ${allow}.`, {
        headers: { allow },
      });
    }
    const operation = route.kind === 'found' ? contract[route.id] : undefined;
    if (route.kind !== 'found' || operation === undefined) throw unknownPath(request);
    return { operation, params: route.params };
  };

  /** Checks a request in this order, as far as it has a route. @returns its body, if that is checked here */
  const check = (names: readonly Check[], known: Known, bytes: Uint8Array | null): unknown => {
    const { request, key, route } = known;
    if (route.kind === 'malformed' || !(names.length > 0 && (route.kind === 'found' || names.includes('route'))))
      return undefined;
    const { operation, params } = routed(known);
    const permits = behaviour.permits[operation.id];
    const tenant = tenants.existing(key.tenant);
    let body: unknown;
    for (const name of names) {
      if (name === 'scope') checkScopes(operation, key);
      if (name === 'body' && operation.hasBody) body = parseJsonBody(operation.id, request.headers, bytes, permits);
      if (name === 'ids') checkPathParameters(operation.id, params, permits);
      if (name === 'record') recordOf(operation.id, tenant, params);
      if (name === 'label' && params.labelId !== undefined) {
        const { id } = operation;
        labelOf(tenant, params.labelId, (...refused) => permittedStatus(id, tenant, ...refused) !== undefined);
      }
    }
    return body;
  };

  /** The status of the reply where the profile permits what is usually refused. */
  const permittedStatus = (id: OperationId, tenant: Tenant, refusal: RefusalCase, ...sought: readonly string[]) => {
    const permits = behaviour.permits[id];
    if (permits === undefined) return undefined;
    const found = foundElsewhere(new Refusal(refusal, '', { sought }), tenant.name, tenants);
    return permits[found?.case ?? refusal];
  };

  const unknownPath = ({ url }: ApiRequest) => {
    const path = pathOf(url);
    const meant = meantPath(path, paths);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    return new Refusal('unknown-path', `No operation at ${path}.${hint}`);
  };

  /** Gives a success that was asked for and has no body the sample of the operation. */
  const withSample = (reply: ApiReply, { tenant }: ApiKey, { operationId }: Trace): ApiReply => {
    if (reply.body !== null || operationId === null) return reply;
    const sample = sampleOf(operationId, reply.status);
    if (sample === undefined) return reply;
    const sampled = replyOf(operationId, reply.status, sample, tenants.existing(tenant));
    return { ...sampled, headers: { ...sampled.headers, ...reply.headers } };
  };

  const run = (
    { id, success }: Operation,
    { request, key, at }: Known,
    params: Readonly<Record<string, string>>,
    requestBody: unknown,
  ): ApiReply => {
    const tenant = tenants.existing(key.tenant);
    // Parameters and body were validated for this id, which the compiler cannot know.
    const operation = operations[id] as (call: unknown) => unknown;
    let status = success;
    const permits = (refusalCase: RefusalCase, ...sought: readonly string[]) => {
      const permitted = permittedStatus(id, tenant, refusalCase, ...sought);
      status = permitted ?? status;
      return permitted !== undefined;
    };
    const body = operation({
      tenant,
      record: recordOf(id, tenant, params),
      label: params.labelId === undefined ? undefined : labelOf(tenant, params.labelId, permits),
      body: requestBody,
      now: at,
      newId: () => crypto.randomUUID(),
      permits,
      presign: (file: { fileKey: string; contentType: string }) => storage.presign(file, tenant, request.origin),
    });
    return body instanceof About
      ? kept.about(body.holder, id, tenant, () => replyOf(id, status, body.body(), tenant))
      : replyOf(id, status, body, tenant, request.url);
  };

  const throttled = (key: ApiKey, wait: number, trace: Trace): ApiReply => {
    const { perSecond, burst } = keys.limitOf(key);
    trace.refused = 'throttled';
    trace.why = `${perSecond} requests per second with a burst of ${burst} are used up.`;
    return throttledReply(behaviour.retryAfter(wait));
  };

  const readThenServe = async ({ request, route, trace }: Known, body: Body) => {
    trace.body = await readBody(body, request.headers['content-length'], bodyLimit);
    // While the body arrived the key may have been revoked, or the state replaced. The request sees the new state only.
    const key = authenticate(keys, request.headers, trace);
    return serve({ request, key, route, trace, at: now() }, trace.body);
  };

  /** What the storage target or an operation answers. Only a request that takes time is answered by a promise. */
  const answer = (request: ApiRequest, trace: Trace, at: number): ApiReply | Promise<ApiReply> => {
    try {
      if (request.url.startsWith(storagePath)) return storage.handle(request, trace);
      // Matched first, so that the journal names the operation of refused requests too.
      const route = router.match(request.method, pathOf(request.url));
      if ('id' in route) trace.operationId = route.id;
      const key = authenticate(keys, request.headers, trace);
      key.lastUsedAt = at;
      const known = { request, key, route, trace, at };
      check(order.early, known, null);
      const wait = key.bucket.take(at);
      if (wait > 0) return throttled(key, wait, trace);
      check(order.unread, known, null);
      if (request.body === null) return serve(known, null);
      return readThenServe(known, request.body).catch((error) => failed(error, trace));
    } catch (error) {
      return failed(error, trace);
    }
  };

  /** The request with a path in which nothing is encoded that needs no encoding. */
  const plain = (request: ApiRequest): ApiRequest => {
    const url = behaviour.decodesPaths ? plainPath(request.url) : request.url;
    return url === request.url ? request : { ...request, url };
  };

  /** What a deployment answers to a request that the mock does not know enough for, or a fault in its place. */
  const pass = async (request: ApiRequest, trace: Trace, to: Deployment): Promise<ApiReply> => {
    trace.refused = null;
    trace.why = null;
    try {
      // A request without a known key was refused before its body was read and faults were looked for.
      if (trace.key === null) {
        const faultReply = faults.strike(request, trace, trace.operationId !== null);
        if (faultReply !== null) return faultReply;
        if (request.body !== null)
          trace.body = await readBody(request.body, request.headers['content-length'], bodyLimit);
      }
      trace.passedTo = to.baseUrl;
      return await to.send(request, trace.body);
    } catch (error) {
      return failed(error, trace);
    }
  };

  return {
    /** As the contract says, below latency and journal. */
    right: async (request: ApiRequest, trace = new Trace()) => answer(plain(request), trace, now()),
    /** The whole way of a request. @param wrong answers in place of `right` */
    served:
      (wrong?: Handle): Handle =>
      async (request, trace = new Trace()) => {
        if (request.method === 'OPTIONS') {
          const preflight = isPartnerPath(request.url) ? preflightReply(request) : null;
          if (preflight !== null) return preflight;
        }
        const startedAt = performance.now();
        const at = now();
        let reply = await (wrong === undefined ? answer(plain(request), trace, at) : wrong(request, trace));
        if (deployment !== undefined && goesThrough(request, trace)) reply = await pass(request, trace, deployment);
        if (trace.fault !== null) reply = trace.fault.damage(reply);
        if (behaviour.dressed !== null && !request.url.startsWith(storagePath)) reply = behaviour.dressed(reply);
        const wait = delay ?? (trace.operationId === null ? undefined : behaviour.delays[trace.operationId]);
        if (wait !== undefined) reply = { ...reply, delay: (reply.delay ?? 0) + wait() };
        const { origin } = request.headers;
        if (origin !== undefined && isPartnerPath(request.url)) reply = withCors(reply, origin);
        if (request.method === 'HEAD') reply = withoutBody(reply);
        journal.record(request, reply, trace, at, Math.max(0, performance.now() - startedAt));
        return reply;
      },
  };
}

function checkScopes(operation: Operation, key: ApiKey): void {
  for (const scope of operation.scopes) {
    if (key.scopes.includes(scope)) continue;
    const detail = `key \`${key.name}\` lacks \`${scope}\``;
    throw new Refusal('missing-scope', 'Operation not allowed', { detail });
  }
}

/** Finds the key of a request and notes it in the trace. A revoked key is noted too, so that the journal can name it. */
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
