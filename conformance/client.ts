import type { OperationId } from '../spec/operations.ts';
import { fillPath } from '../spec/routes.ts';
import type { CallOptions } from './check.ts';
import { createCircuitBreaker } from './client/circuit-breaker.ts';
import type { Environment } from './client/environment.ts';
import { type HttpReply, type HttpRequest, TransportError } from './client/http.ts';
import { createPacer, type DeclaredLimit, type Pacer } from './client/pacer.ts';
import { createReplyLimits } from './client/reply-limits.ts';
import { counted } from './counted.ts';
import { exchangeOf } from './evidence.ts';
import { Inconclusive } from './outcome.ts';
import type { Redaction } from './redaction.ts';
import type { Reply } from './reply.ts';
import type { Deployment } from './target/deployment.ts';
import type { KeyOfTenant } from './target/keys.ts';

/** Sends the requests of checks: paced per key, sent again where that is safe, counted against a budget. */
export interface Client {
  /** @param key undefined and null send none. */
  call(id: OperationId, key: KeyOfTenant | null, options: CallOptions, signal?: AbortSignal): Promise<Reply>;
  put(url: string, contentType: string | null, bytes: Uint8Array, signal?: AbortSignal): Promise<Reply>;
  /** @throws Inconclusive when the deployment has been silent for so long that nothing more is sent, but to restore. */
  assertClosed(): void;
  /** Requests sent so far, by `tenant/key`; those without a key under `-`. */
  readonly sent: ReadonlyMap<string, number>;
}

export interface ClientOptions {
  readonly deployment: Deployment;
  readonly environment: Environment;
  readonly redaction: Redaction;
  /** Milliseconds per request. */
  readonly timeout: number;
  /** Requests in all. */
  readonly budget: number;
  readonly onReply: (reply: Reply, paced: boolean) => void;
  /** Makes replies up: nothing is sent then, and the time it would take passes all the same. */
  readonly planned?: ((id: OperationId | 'storage') => Promise<HttpReply>) | undefined;
}

/** Says nothing but that it is not the time. */
const busy: readonly number[] = [429, 502, 503, 504];

/** Beyond this many tries a request that is throttled or finds nobody is given up. */
const tries = 5;

export function createClient(options: ClientOptions): Client {
  const { deployment, environment, redaction } = options;
  const pacers = new Map<string, Pacer>();
  const sent = new Map<string, number>();
  const replyLimits = createReplyLimits();
  const breaker = createCircuitBreaker(environment.now);
  const assertClosed = () => {
    const silent = breaker.lost();
    if (silent !== null) throw new Inconclusive(silent);
  };
  let total = 0;

  // Requests without a key have no bucket of ours; the address they come from may have one, no smaller than that of any key.
  const limits = [deployment.tenant, deployment.stranger].flatMap((tenant) =>
    (tenant?.keys ?? []).filter(({ revoked }) => !revoked).map(({ rateLimit }) => rateLimit),
  );
  const least: DeclaredLimit = {
    perSecond: Math.min(...limits.map(({ perSecond }) => perSecond)),
    burst: Math.min(...limits.map(({ burst }) => burst)),
  };

  const pacerOf = (key: KeyOfTenant | null) => {
    const name = key === null ? '-' : `${key.tenant}/${key.name}`;
    let pacer = pacers.get(name);
    if (pacer === undefined) {
      pacer = createPacer(key === null || key.revoked ? least : key.rateLimit, environment);
      pacers.set(name, pacer);
    }
    return pacer;
  };

  const once = async (
    request: HttpRequest,
    about: { operationId: OperationId | 'storage'; key: KeyOfTenant | null; paced: boolean; namedBy?: string },
    signal?: AbortSignal,
  ): Promise<Reply | TransportError> => {
    if (total >= options.budget)
      throw new Inconclusive(`the budget of ${counted(options.budget, 'request')} is used up (--budget)`);
    total++;
    const key = about.key && `${about.key.tenant}/${about.key.name}`;
    sent.set(key ?? '-', (sent.get(key ?? '-') ?? 0) + 1);
    const sentAt = environment.now();
    let reply: HttpReply | null = null;
    let problem: TransportError | null = null;
    try {
      reply = await (options.planned?.(about.operationId) ??
        environment.send(request, { timeoutMilliseconds: options.timeout, signal, namedBy: about.namedBy }));
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      problem = error;
    }
    let text = reply === null ? '' : new TextDecoder().decode(reply.body);
    const excess = reply && replyLimits.exceededBy(reply.body);
    if (reply !== null && excess !== null) {
      problem = new TransportError('unusable', `answered ${reply.status}, but ${excess}`);
      reply = null;
      text = '';
    }
    const observed = { operationId: about.operationId, key, request, reply, sentAt, doneAt: environment.now() };
    const exchange = exchangeOf({ ...observed, error: problem?.message ?? null }, redaction);
    const what = `${request.method} ${URL.parse(exchange.url)?.pathname ?? exchange.url} (${about.operationId})`;
    const json = text.length > longestKept ? unkept : parse(text);
    const received: Reply = {
      status: reply?.status ?? 0,
      headers: reply?.headers ?? {},
      text,
      get json() {
        return json === unkept ? parse(text) : json;
      },
      exchange,
      planned: options.planned !== undefined,
      what,
    };
    if (problem === null && !busy.includes(received.status)) breaker.heard();
    else if (about.paced) breaker.failed();
    options.onReply(received, about.paced);
    return problem ?? received;
  };

  const patiently = async (
    request: HttpRequest,
    about: { operationId: OperationId; key: KeyOfTenant | null; paced: boolean; restores: boolean },
    signal?: AbortSignal,
  ): Promise<Reply> => {
    const pacer = pacerOf(about.key);
    // What a lost POST did nobody knows, and asking again could do it twice; starting an upload stores nothing.
    const repeatable = request.method !== 'POST' || about.operationId === 'startSiteFileUpload';
    let why = '';
    for (let attempt = 0; attempt < tries; attempt++) {
      if (!about.restores || attempt > 0) assertClosed();
      await pacer.turn(signal);
      if (signal?.aborted) throw new Inconclusive('interrupted');
      const reply = await once(request, about, signal);
      if (reply instanceof TransportError) {
        if (reply.problem === 'aborted') throw new Inconclusive('interrupted');
        why = `${request.method} ${about.operationId}: ${redaction.apply(reply.message)}`;
        if (reply.problem === 'unusable') throw new Inconclusive(why);
        if (!repeatable) throw new Inconclusive(`${why}; it is not sent twice`);
      } else if (busy.includes(reply.status)) {
        why = `${reply.what} was answered ${reply.status} although this key was kept under its declared rate`;
        // A gateway that lost its service knows as little as a lost connection.
        if (!repeatable && (reply.status === 502 || reply.status === 504))
          throw new Inconclusive(`${why}; it is not sent twice`);
      } else {
        return reply;
      }
      const asked = reply instanceof TransportError ? 0 : Number(reply.headers['retry-after'] ?? 0) * 1000;
      pacer.pause(Math.max(Number.isFinite(asked) ? Math.min(asked, 60_000) : 0, backOff(attempt, environment.random)));
    }
    throw new Inconclusive(`${why}; given up after ${tries} tries`);
  };

  return {
    sent,
    assertClosed,
    async call(id, key, callOptions, signal) {
      const operation = deployment.operation(id);
      if (operation === undefined) throw new Inconclusive(`this deployment has no ${id}`);
      const request = requestOf(deployment.baseUrl, operation, key, callOptions);
      const { unpaced, restores } = callOptions;
      if (!unpaced)
        return patiently(request, { operationId: id, key, paced: true, restores: restores === true }, signal);
      pacerOf(key).used();
      const reply = await once(request, { operationId: id, key, paced: false }, signal);
      if (reply instanceof TransportError) throw reply;
      return reply;
    },
    async put(url, contentType, bytes, signal) {
      if (redaction.holds(url)) throw new Inconclusive('the upload URL holds a key of ours: nothing is sent there');
      const headers: Record<string, string> = contentType === null ? {} : { 'content-type': contentType };
      const request = { method: 'PUT', url, headers, body: bytes };
      let why = '';
      for (let attempt = 0; attempt < tries; attempt++) {
        const about = { operationId: 'storage', key: null, paced: true, namedBy: deployment.baseUrl } as const;
        const reply = await once(request, about, signal);
        if (!(reply instanceof TransportError) && reply.status < 500) return reply;
        why = reply instanceof TransportError ? redaction.apply(reply.message) : `status ${reply.status}`;
        if (signal?.aborted || (reply instanceof TransportError && reply.problem === 'unusable')) break;
        await environment.sleep(backOff(attempt, environment.random), signal);
      }
      throw new Inconclusive(`PUT to the upload URL: ${why}`);
    },
  };
}

/** Exponential with full jitter, from half a second to eight. */
const backOff = (attempt: number, random: () => number) => 250 + random() * 500 * 2 ** Math.min(attempt, 4);

function requestOf(
  baseUrl: string,
  operation: { method: string; path: string },
  key: KeyOfTenant | null,
  { params = {}, body, headers = {}, query = '', method, path }: CallOptions,
): HttpRequest {
  const bytes = body === undefined ? null : toBytes(body);
  const all: Record<string, string> = { accept: 'application/json' };
  if (bytes !== null) all['content-type'] = 'application/json';
  if (key !== null) all['x-api-key'] = key.secret;
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) delete all[name];
    else all[name] = value;
  }
  const url = `${baseUrl}${path ?? fillPath(operation.path, params)}${query}`;
  return { method: method ?? operation.method, url, headers: all, body: bytes };
}

function toBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Beyond this many characters the value is read anew each time: it takes many times the memory of its text. */
const longestKept = 16 * 1024;

const unkept = Symbol('unkept');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
