import type { Check } from '../spec/checks.ts';
import type { Operation, OperationId } from '../spec/operations.ts';
import { meantPath, type RouteMatch } from '../spec/routes.ts';
import { preflightReply, withCors } from './cors.ts';
import { sampleOf } from './faults/status-reply.ts';
import type { ApiKey, KeyRing } from './keys/key-ring.ts';
import { type ApiReply, type ApiRequest, json, withoutBody } from './message.ts';
import { type Call, operations } from './operations.ts';
import type { Parts } from './parts.ts';
import { type Deployment, goesThrough } from './passthrough.ts';
import { isPartnerPath, plainPath, storagePath } from './paths.ts';
import { Refusal, refuse, throttledReply } from './refusal.ts';
import { checkPathParameters, parseJsonBody, readBody } from './request/check-request.ts';
import { preferredReply } from './request/preferred-reply.ts';
import type { StorageTarget } from './storage/target.ts';
import { foundElsewhere, labelOf, recordOf } from './store/find.ts';
import type { LabelHolder, Records } from './store/records.ts';
import type { Tenant } from './store/tenant.ts';
import { Trace } from './trace.ts';

/** How many replies are kept, so that a million conversations take no more memory than a thousand. */
const maxKept = 1_000;
/** Longer bodies (in characters) are not kept, so that all together take 16 MB at most. */
const maxLength = 16 * 1024;

/** Answers one request. Never throws. */
type Handle = (request: ApiRequest, trace?: Trace) => Promise<ApiReply>;

/** A request whose key and operation are known. Its checks find what the operation needs. */
interface Checked extends Call<OperationId> {
  readonly request: ApiRequest;
  readonly trace: Trace;
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  key: ApiKey;
  /** The status of its success. */
  status: number;
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
  /** The last reply about each record, until its labels change, which is all that its operation can change about it. */
  const kept = new Map<LabelHolder, { id: OperationId; of: Records; labels: unknown; reply: ApiReply }>();

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

  /** Why a request has no operation. */
  const unrouted = ({ method, url }: ApiRequest, route: RouteMatch<OperationId>): Refusal => {
    if (route.kind === 'methodNotAllowed') {
      const allow = route.allow.join(', ');
      return new Refusal('wrong-method', `${method} is not allowed here; allowed: ${allow}.`, { headers: { allow } });
    }
    if (route.kind === 'malformed')
      return new Refusal('malformed-path', `path.${route.parameter} is not valid percent-encoding.`);
    const path = pathOf(url);
    const meant = meantPath(path, paths);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    return new Refusal('unknown-path', `No operation at ${path}.${hint}`);
  };

  /** Each refuses a request for one reason. */
  const checks: Readonly<Record<Exclude<Check, 'rate' | 'size' | 'route'>, (call: Checked) => void>> = {
    scope: ({ operation, key }) => checkScopes(operation, key),
    body(call) {
      const { id, hasBody } = call.operation;
      if (hasBody) call.body = parseJsonBody(id, call.request.headers, call.trace.body, behaviour.permits[id]) as never;
    },
    ids: ({ operation: { id }, params }) => checkPathParameters(id, params, behaviour.permits[id]),
    record(call) {
      call.record = recordOf(call.operation.id, call.tenant, call.params);
    },
    label(call) {
      const { labelId } = call.params;
      if (labelId !== undefined) call.label = labelOf(call.tenant, labelId, call.permits);
    },
  };

  const callOf = (request: ApiRequest, trace: Trace, operation: Operation, params: Checked['params'], key: ApiKey) => {
    const { id, success } = operation;
    const tenant = tenants.existing(key.tenant);
    const call: Checked = {
      ...{ request, trace, operation, params, key, tenant, now: now(), status: success },
      ...{ record: null, label: undefined, body: undefined },
      permits(refusal, ...sought) {
        const permitted = behaviour.permits[id];
        if (permitted === undefined) return false;
        const found = foundElsewhere(new Refusal(refusal, '', { sought }), call.tenant.name, tenants);
        const status = permitted[found?.case ?? refusal];
        call.status = status ?? success;
        return status !== undefined;
      },
      presign: (file) => storage.presign(file, call.tenant, request.origin),
    };
    return call;
  };

  /** Gives a success that was asked for and has no body the sample of the operation. */
  const withSample = (reply: ApiReply, { tenant }: ApiKey, { operationId }: Trace): ApiReply => {
    if (reply.body !== null || operationId === null) return reply;
    const sample = sampleOf(operationId, reply.status);
    if (sample === undefined) return reply;
    const sampled = replyOf(operationId, reply.status, sample, tenants.existing(tenant));
    return { ...sampled, headers: { ...sampled.headers, ...reply.headers } };
  };

  const run = (call: Checked): ApiReply => {
    const { operation, request, tenant, record } = call;
    const { id } = operation;
    // Its parameters and body were checked for this operation, which the compiler cannot know.
    const body = (operations[id] as (call: Checked) => unknown)(call);
    if (typeof body !== 'function') return replyOf(id, call.status, body, tenant, request.url);
    const holder = record as LabelHolder;
    // Every change of labels makes a new set of them, and every edit of a record an index, because a reply may show other records.
    const { records: of } = tenant;
    const labels = tenant.changedHolders().get(holder);
    const last = kept.get(holder);
    if (last?.id === id && last.of === of && last.labels === labels) return last.reply;
    const reply = replyOf(id, call.status, body(), tenant);
    if ((reply.body?.length ?? 0) > maxLength) return reply;
    if (kept.size >= maxKept) kept.clear();
    kept.set(holder, { id, of, labels, reply });
    return reply;
  };

  const throttled = (key: ApiKey, wait: number, trace: Trace): ApiReply => {
    const { perSecond, burst } = keys.limitOf(key);
    trace.refuse('throttled', `${perSecond} requests per second with a burst of ${burst} are used up.`);
    return throttledReply(behaviour.retryAfter(wait));
  };

  /** The reply that a fault or the client asked for in place of the usual one; null for none. */
  const forcedReply = (request: ApiRequest, operation: Operation | undefined, trace: Trace): ApiReply | null => {
    const faultReply = faults.strike(request, trace, operation !== undefined);
    const { prefer } = request.headers;
    if (faultReply !== null || operation === undefined || prefer === undefined) return faultReply;
    const preferred = preferredReply(prefer, operation);
    if (preferred !== null) trace.refuse('preferred', preferred.why);
    return preferred?.reply ?? null;
  };

  /** What the storage target or an operation answers, once the request has passed the checks in the order of the profile. */
  const answer = async (request: ApiRequest, trace: Trace, came: number): Promise<ApiReply> => {
    if (request.url.startsWith(storagePath)) return storage.handle(request, trace);
    try {
      // Matched first, so that the journal names the operation of refused requests too.
      const route = router.match(request.method, pathOf(request.url));
      if ('id' in route) trace.operationId = route.id;
      const found = route.kind === 'found' ? route : undefined;
      const operation = found && contract[found.id];
      let key = authenticate(keys, request.headers, trace);
      key.lastUsedAt = came;
      const call = operation && callOf(request, trace, operation, found.params, key);
      for (const check of order) {
        if (check === 'rate') {
          const wait = key.bucket.take(came);
          if (wait > 0) return throttled(key, wait, trace);
        } else if (check === 'size') {
          if (request.body !== null) {
            trace.body = await readBody(request.body, request.headers['content-length'], bodyLimit);
            // While the body arrived the key may have been revoked, or the state replaced. The request sees the new state only.
            key = authenticate(keys, request.headers, trace);
            if (call) Object.assign(call, { key, tenant: tenants.existing(key.tenant), now: now() });
          }
          const forced = forcedReply(request, operation, trace);
          if (forced !== null) return withSample(forced, key, trace);
        } else if (call === undefined) {
          if (check === 'route') throw unrouted(request, route);
        } else if (check !== 'route') checks[check](call);
      }
      // The check of the route has refused what has none.
      return run(call as Checked);
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
    trace.refuse(null, null);
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
