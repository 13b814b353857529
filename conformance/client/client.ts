import { isUtf8 } from 'node:buffer';
import type { Redaction } from '../../spec/redaction/redaction.ts';
import { mapValues } from '../../spec/text/map-values.ts';
import { counted } from '../counted.ts';
import { cutOff, type Exchange, succeeded, tooLarge } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { type KeyOfTenant, keyFor } from '../target/keys.ts';
import { type Ask, type Put, Stopped } from './ask.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { Environment } from './environment.ts';
import { type HttpReply, type HttpRequest, TransportError, type TransportProblem } from './http.ts';
import { createPacer, type DeclaredLimit, type Pacer } from './pacer.ts';
import { createPatience } from './patience.ts';
import { createReplyLimits } from './reply-limits.ts';
import { requestOf } from './request-of.ts';
import { isUnreached } from './transport-problem.ts';
import { tamperedUrl, uploadUrlIn } from './upload-url.ts';

/** Sends requests, paced per key and counted against a budget. Retries where a retry is safe. Every try is recorded. */
export interface Client {
  /**
   * @param how.restores the request undoes a write of this run, so it is sent even when the run has ended
   * @param how.patient the request is repeated after a 429 even if many others were throttled before
   * @param how.alone the request has a connection of its own
   * @returns the last try
   * @throws Stopped when the run ends
   */
  send(
    ask: Ask,
    how: {
      readonly script: string;
      readonly restores?: boolean;
      readonly patient?: boolean;
      readonly alone?: boolean;
    },
  ): Promise<Exchange>;
  /** @returns the last try; null where the reply to the start has no upload URL */
  put(start: Exchange, put: Put, how: { readonly script: string }): Promise<Exchange | null>;
  /** Why nothing more is sent, or null. */
  ended(): string | null;
}

interface ClientOptions {
  readonly deployment: Deployment;
  readonly environment: Environment;
  readonly redaction: Redaction;
  /** Milliseconds per request. */
  readonly timeout: number;
  /** Requests in all. */
  readonly budget: number;
  readonly signal?: AbortSignal | undefined;
  /** Aborts when not even what restores the deployment is sent any more. */
  readonly last?: AbortSignal | undefined;
  readonly newId: () => string;
  readonly record: (exchange: Omit<Exchange, 'n'>, sequence: number) => Exchange;
  /** Invents replies for `plan` in place of sending. */
  readonly planned?:
    | ((
        operation: Ask['operation'] | 'storage',
        about: Pick<Exchange, 'operation' | 'facts' | 'key' | 'params'>,
      ) => Promise<HttpReply>)
    | undefined;
}

/** Statuses that ask to come back later. */
const busy: readonly (number | null)[] = [429, 502, 503, 504];

/** After this many 429s to paced requests, waiting has not helped, so later throttled requests are not retried. */
const maxThrottled = 20;

/** So many PUTs that get no connection show that this machine cannot judge uploads. */
const maxUnreachedPuts = 4;

/** Milliseconds. Where a 429 or 503 asks for a longer wait, nobody waits for it. */
const maxWait = 60_000;

/** Milliseconds up to which each wait for the same request is twice as long as the one before: a Retry-After may be too short. */
const maxDoubled = 4_000;

export function createClient(options: ClientOptions): Client {
  const { deployment, environment, redaction, signal } = options;
  const pacers = new Map<string, Pacer>();
  const replyLimits = createReplyLimits();
  const breaker = createCircuitBreaker(environment.now);
  const patience = createPatience(options.timeout);
  /** Upload URLs in full. Whoever knows such a URL may upload, so exchanges hold redacted URLs only. */
  const uploadUrls = new WeakMap<Exchange, string>();
  let total = 0;
  /** Counts until one gets through. */
  let unreachedPuts = 0;
  let throttled = 0;

  const ended = () => {
    if (signal?.aborted) return 'interrupted';
    if (total >= options.budget) return `the budget of ${counted(options.budget, 'request')} is used up (--budget)`;
    return breaker.lost();
  };
  const assertNotEnded = () => {
    const why = ended();
    if (why !== null) throw new Stopped(why);
  };

  // A request without a key uses no key's bucket, but the gateway may limit the address. We assume a limit of at least the lowest key's.
  const limits = [deployment.tenant, deployment.stranger].flatMap((tenant) =>
    (tenant?.keys ?? []).filter(({ revoked }) => !revoked).map(({ rateLimit }) => rateLimit),
  );
  const lowest: DeclaredLimit = {
    perSecond: Math.min(...limits.map(({ perSecond }) => perSecond)),
    burst: Math.min(...limits.map(({ burst }) => burst)),
  };
  const pacerOf = (key: KeyOfTenant | null, ask: Ask) => {
    // A revoked key may still have its bucket.
    const isKnown = key !== null && (ask.credential ?? 'key') === 'key';
    const name = isKnown ? `${key.tenant}/${key.name}` : '-';
    const pacer = pacers.get(name) ?? createPacer(isKnown ? key.rateLimit : lowest, environment);
    pacers.set(name, pacer);
    return pacer;
  };

  interface About
    extends Pick<
      Exchange,
      | 'script'
      | 'operation'
      | 'key'
      | 'credential'
      | 'params'
      | 'twist'
      | 'paced'
      | 'facts'
      | 'demand'
      | 'step'
      | 'trial'
    > {
    readonly planned: Ask['operation'] | 'storage';
    readonly namedBy?: string;
    readonly restores?: boolean | undefined;
    readonly alone?: boolean;
  }

  /** The latest read that was served. */
  let served: { readonly request: HttpRequest; readonly about: About } | null = null;
  let asking: Promise<unknown> | null = null;

  /** Equal texts are redacted once and share one string, to save time and memory. */
  const cleanTexts = new Map<string, string>();
  const clean = (text: string) => {
    const known = cleanTexts.get(text) ?? redaction.apply(text);
    cleanTexts.set(text, known);
    return known;
  };

  const sendOnce = async (
    request: HttpRequest,
    about: About,
  ): Promise<{ exchange: Exchange; problem: TransportProblem | null }> => {
    const { planned, namedBy, restores, alone, ...facts } = about;
    total++;
    const sequence = total;
    const sentAt = environment.now();
    let reply: HttpReply | null = null;
    let problem: TransportError | null = null;
    try {
      // An interruption does not cut off requests that restore the deployment.
      const sending = {
        timeoutMilliseconds: patience.timeoutOf(planned),
        signal: restores ? options.last : signal,
        namedBy,
        ...(alone && { alone }),
      };
      reply = await (options.planned?.(planned, facts) ?? environment.send(request, sending));
      const excess = replyLimits.exceededBy(reply.body);
      if (excess !== null) throw new TransportError('unusable', `${tooLarge}answered ${reply.status}, but ${excess}`);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      problem = error;
      reply = null;
    }
    if (problem?.problem === 'timeout') patience.timedOut(planned);
    const garbled = reply !== null && !isUtf8(reply.body);
    const exchange = options.record(
      {
        ...facts,
        params: mapValues(facts.params, clean),
        method: request.method,
        url: clean(request.url),
        requestHeaders: redactedHeaders(request.headers, clean),
        requestBody: request.body === null ? null : shownBody(request.body, clean),
        requestBytes: request.body?.length ?? 0,
        sentAt,
        doneAt: environment.now(),
        status: reply?.status ?? null,
        headers: redactedHeaders(reply?.headers ?? {}, clean),
        body: reply === null ? null : clean(decoder.decode(reply.body)),
        ...(garbled && { garbled }),
        failure: problem === null ? null : problem.problem === 'aborted' ? cutOff : clean(problem.message),
      },
      sequence,
    );
    if (succeeded(exchange)) patience.succeeded(planned);
    const uploadUrl = planned === 'startSiteFileUpload' ? uploadUrlIn(reply) : null;
    if (uploadUrl !== null) uploadUrls.set(exchange, uploadUrl);
    if (problem === null && !busy.includes(exchange.status)) {
      breaker.heard();
      if (request.method === 'GET' && about.paced && succeeded(exchange)) served = { request, about };
    } else if (about.paced) {
      breaker.failed();
      if (problem?.problem === 'timeout') breaker.timedOut();
    }
    return { exchange, problem: problem?.problem ?? null };
  };

  /** Operations that never answer are not a deployment that is gone: before the run is given up, a read that was served is sent once more. */
  const askAgain = async (script: string) => {
    if (!breaker.silent() || served === null) return;
    asking ??= sendOnce(served.request, { ...served.about, script }).finally(() => {
      asking = null;
    });
    await asking;
  };

  const keyOf = (ask: Ask): KeyOfTenant | null => {
    if (ask.credential === 'none') return null;
    if (ask.key !== undefined) return ask.key;
    const scopes = deployment.scopesOf(ask.operation);
    const found = keyFor(deployment, { scopes });
    if ('key' in found) return found.key;
    const forLimits = keyFor(deployment, { scopes, use: 'limits' });
    return 'key' in forLimits ? forLimits.key : null;
  };

  return {
    ended,
    async send(ask, { script, restores = false, patient = false, alone = false }) {
      const operation = deployment.operation(ask.operation);
      if (operation === undefined) throw new Stopped(`this deployment has no ${ask.operation}`);
      const key = keyOf(ask);
      const { credential = key === null ? 'none' : 'key', params = {}, twist = null, unpaced = false } = ask;
      const request = requestOf(ask, key, {
        baseUrl: deployment.baseUrl,
        operation,
        headers: deployment.headers,
        newId: options.newId,
      });
      const about: About = {
        script,
        operation: ask.path !== undefined || ask.method !== undefined ? null : ask.operation,
        planned: ask.operation,
        key: key === null || credential === 'unknown' || credential === 'empty' ? null : `${key.tenant}/${key.name}`,
        credential,
        params,
        twist,
        paced: !unpaced,
        restores,
        alone,
        ...(ask.facts && { facts: ask.facts }),
        ...(ask.step && { step: ask.step }),
        ...(ask.trial && { trial: ask.trial }),
      };
      const pacer = pacerOf(key, ask);
      if (unpaced) {
        assertNotEnded();
        pacer.used();
        return (await sendOnce(request, about)).exchange;
      }
      // A lost POST may have been carried out, and a retry could carry it out twice. Starting an upload stores nothing, so a retry is safe.
      const repeatable = request.method !== 'POST' || ask.operation === 'startSiteFileUpload';
      for (let attempt = 1; ; attempt++) {
        if (!restores) await askAgain(script);
        if (!restores || attempt > 1) assertNotEnded();
        const until = restores ? options.last : signal;
        await pacer.turn(until);
        if (attempt === 1) await ask.barrier?.();
        if (until?.aborted) throw new Stopped('interrupted');
        const { exchange, problem } = await sendOnce(request, about);
        if (problem === 'aborted') throw new Stopped('interrupted');
        const lost = problem !== null || exchange.status === 502 || exchange.status === 504;
        const again = problem === null ? busy.includes(exchange.status) : problem !== 'unusable';
        if (exchange.status === 429) throttled++;
        const named = Number(exchange.headers['retry-after'] ?? 0) * 1000;
        const retryAfter = Number.isFinite(named) ? Math.max(named, 0) : 0;
        const hopeless = exchange.status === 429 && (retryAfter > maxWait || (throttled > maxThrottled && !patient));
        if (!again || hopeless || attempt >= patience.tries(problem) || (lost && !repeatable)) return exchange;
        const doubled = Math.min(maxDoubled, retryAfter * 2 ** (attempt - 1));
        pacer.pause(Math.max(Math.min(retryAfter, maxWait), doubled, backoff(attempt, environment.random)));
      }
    },
    async put(start, { contentType, bytes, tampered = false, demand, trial }, { script }) {
      const uploadUrl = uploadUrls.get(start) ?? null;
      const other = typeof tampered === 'object' ? (uploadUrls.get(tampered) ?? '') : null;
      const url = uploadUrl !== null && tampered ? tamperedUrl(uploadUrl, other) : uploadUrl;
      if (url === null) return null;
      if (redaction.holds(url))
        throw new Stopped('the upload URL contains a key of the target file, so nothing is sent to this URL');
      // Nearly every HTTP client sends Accept.
      const headers = {
        accept: '*/*',
        ...deployment.uploadHeaders,
        ...(contentType !== null && { 'content-type': contentType }),
      };
      const about: About = {
        script,
        operation: 'storage',
        planned: 'storage',
        key: null,
        credential: 'none',
        params: { start: String(start.n) },
        twist: tampered ? (other === null ? 'signature/altered' : 'signature/of-another') : null,
        paced: true,
        ...(demand && { demand }),
        ...(trial && { trial }),
        namedBy: deployment.baseUrl,
      };
      for (let attempt = 1; ; attempt++) {
        await askAgain(script);
        assertNotEnded();
        const { exchange, problem } = await sendOnce({ method: 'PUT', url, headers, body: bytes }, about);
        if (problem === 'aborted') throw new Stopped('interrupted');
        if (isUnreached(problem)) unreachedPuts++;
        else unreachedPuts = Number.NEGATIVE_INFINITY;
        if (unreachedPuts >= maxUnreachedPuts) throw new Stopped(`uploads cannot be judged: ${exchange.failure}`);
        const again = problem === null ? (exchange.status ?? 0) >= 500 : problem !== 'unusable';
        if (!again || attempt >= patience.tries(problem)) return exchange;
        await environment.sleep(backoff(attempt, environment.random), signal);
      }
    },
  };
}

/** Milliseconds: exponential with full jitter. */
const backoff = (attempt: number, random: () => number) => 250 + random() * 500 * 2 ** Math.min(attempt - 1, 4);

/** Keeps a byte order mark, which a law looks for. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Characters of a request body that are kept. */
const maxRequestBody = 4_000;

function shownBody(bytes: Uint8Array, clean: (text: string) => string): string {
  const head = bytes.subarray(0, maxRequestBody);
  // The bytes of uploaded files are not readable text, and no report can hold a NUL.
  if (head.includes(0)) return `(${bytes.length} bytes, not text)`;
  const text = clean(new TextDecoder().decode(head));
  return bytes.length > head.length ? `${text}… (${bytes.length} bytes in all)` : text;
}

/** A deployment may repeat a key as the name of a header, too. */
const redactedHeaders = (headers: Readonly<Record<string, string>>, clean: (text: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [clean(name), clean(value)]));
