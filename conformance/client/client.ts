import { isUtf8 } from 'node:buffer';
import type { Limit } from '../../spec/limiter/limit.ts';
import type { Redaction } from '../../spec/redaction/redaction.ts';
import { cutOff, type Exchange, type Purpose, tooLarge } from '../history/exchange.ts';
import { type Deployment, type KeyOfTenant, keyFor } from '../target/deployment.ts';
import { tenantsOf } from '../target/records.ts';
import { type Ask, type Put, Stopped } from './ask.ts';
import { type Environment, uuidFrom } from './environment.ts';
import { type HttpReply, type HttpRequest, isUnreached, TransportError } from './http.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { createReplyLimits } from './reply-body.ts';
import { requestOf, tamperedUrl, uploadUrlIn } from './request-of.ts';
import { createRetryPolicy } from './retry-policy.ts';

export type Client = ReturnType<typeof createClient>;

/** For what a request is sent. */
interface How {
  readonly script: string;
  /** It undoes a write of this run, so it is sent even when the run has ended, and again after a 429 even if many others were throttled. */
  readonly restores?: boolean;
}

interface ClientOptions {
  readonly deployment: Deployment;
  readonly environment: Environment;
  readonly redaction: Redaction;
  /** Milliseconds per request: 30,000 by default. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Aborts when not even what restores the deployment is sent any more. */
  readonly last?: AbortSignal | undefined;
  readonly record?: (exchange: Exchange) => void;
}

/** After this many 429s to paced requests, waiting has not helped, so later throttled requests are not retried. */
const maxThrottled = 20;

/** So many PUTs that get no connection show that this machine cannot judge uploads. */
const maxUnreachedPuts = 4;

/** Milliseconds. Where a 429 or 503 asks for a longer wait, nobody waits for it. */
const maxWait = 60_000;

/** No limit is declared for the storage. */
const storageLimit: Limit = { perSecond: 1e6, burst: 1e6 };

/** What is recorded of a request besides what goes over the wire, and how it is sent. */
interface About extends Purpose {
  /** The operation that is meant, also where the request goes to another path. */
  readonly meant: Ask['operation'] | 'storage';
  readonly namedBy?: string;
  readonly restores?: boolean;
}

/** Sends requests, paced per key. Retries where a retry is safe. Every try is recorded. */
export function createClient(options: ClientOptions) {
  const { deployment, environment, redaction, signal, timeout = 30_000 } = options;
  const pacers = new Map<string, Pacer>();
  const exceeds = createReplyLimits();
  const policy = createRetryPolicy(timeout);
  /** Upload URLs in full. Whoever knows such a URL may upload, so exchanges hold redacted URLs only. */
  const uploadUrls = new WeakMap<Exchange, string>();
  let total = 0;
  /** Counts until one gets through. */
  let unreachedPuts = 0;
  let throttled = 0;

  const ended = () => (signal?.aborted ? 'interrupted' : policy.lost());
  const assertNotEnded = () => {
    const why = ended();
    if (why !== null) throw new Stopped(why);
  };

  // A request without a key uses no key's bucket, but the gateway may limit the address. We assume a limit of at least the lowest key's.
  const [lowest = storageLimit] = tenantsOf(deployment)
    .flatMap(({ keys }) => keys.flatMap(({ revoked, rateLimit }) => (revoked ? [] : [rateLimit])))
    .sort((a, b) => a.perSecond - b.perSecond);
  const pacerOf = (name: string, limit: Limit) => {
    const pacer = pacers.get(name) ?? createPacer(limit, environment);
    pacers.set(name, pacer);
    return pacer;
  };

  /** Equal texts are redacted once and share one string, to save time and memory. */
  const cleanTexts = new Map<string, string>();
  const clean = (text: string) => {
    const known = cleanTexts.get(text) ?? redaction.apply(text);
    cleanTexts.set(text, known);
    return known;
  };

  const sendOnce = async (request: HttpRequest, about: About) => {
    const { meant, namedBy, restores, ...facts } = about;
    total++;
    const n = total;
    const sentAt = environment.now();
    let reply: HttpReply | null = null;
    let problem: TransportError | null = null;
    try {
      // An interruption does not cut off requests that restore the deployment.
      const sending = {
        timeoutMilliseconds: policy.timeoutOf(meant),
        signal: restores ? options.last : signal,
        namedBy,
        about: { ...facts, meant },
      };
      reply = await environment.send(request, sending);
      const excess = exceeds(reply.body);
      if (excess !== null) throw new TransportError('unusable', `${tooLarge}answered ${reply.status}, but ${excess}`);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      problem = error;
      reply = null;
    }
    const garbled = reply !== null && !isUtf8(reply.body);
    const exchange: Exchange = {
      n,
      ...facts,
      params: Object.fromEntries(Object.entries(facts.params).map(([name, value]) => [name, clean(value)])),
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
    };
    options.record?.(exchange);
    const uploadUrl = meant === 'startSiteFileUpload' ? uploadUrlIn(reply) : null;
    if (uploadUrl !== null) uploadUrls.set(exchange, uploadUrl);
    const sent = { exchange, problem: problem?.problem ?? null };
    policy.saw(meant, sent.problem, exchange);
    return sent;
  };

  /** Sends the request, and again while that is safe and may help. */
  const sendPaced = async (
    request: HttpRequest,
    about: About,
    pacer: Pacer,
    { repeatable = true, barrier }: { repeatable?: boolean; barrier?: Ask['barrier'] } = {},
  ): ReturnType<typeof sendOnce> => {
    const { restores = false } = about;
    const until = restores ? options.last : signal;
    for (let attempt = 1; ; attempt++) {
      if (!restores || attempt > 1) assertNotEnded();
      await pacer.turn(until);
      if (attempt === 1) await barrier?.();
      if (until?.aborted) throw new Stopped('interrupted');
      const sent = await sendOnce(request, about);
      const { exchange, problem } = sent;
      if (problem === 'aborted') throw new Stopped('interrupted');
      if (about.meant === 'storage') {
        unreachedPuts = isUnreached(problem) ? unreachedPuts + 1 : Number.NEGATIVE_INFINITY;
        if (unreachedPuts >= maxUnreachedPuts) throw new Stopped(`uploads cannot be judged: ${exchange.failure}`);
      }
      const lost = problem !== null || exchange.status === 502 || exchange.status === 504;
      const again = problem === null ? isBusy(exchange) : problem !== 'unusable';
      if (exchange.status === 429) throttled++;
      const named = Number(exchange.headers['retry-after'] ?? 0) * 1000;
      const retryAfter = Number.isFinite(named) ? Math.max(named, 0) : 0;
      const hopeless = exchange.status === 429 && (retryAfter > maxWait || (throttled > maxThrottled && !restores));
      if (!again || hopeless || attempt >= policy.tries(problem) || (lost && !repeatable)) return sent;
      pacer.pause(Math.max(Math.min(retryAfter, maxWait), backoff(attempt, environment.random)));
    }
  };

  const keyOf = (ask: Ask): KeyOfTenant | null => {
    if (ask.credential === 'none') return null;
    if (ask.key !== undefined) return ask.key;
    const scopes = deployment.scopesOf(ask.operation);
    return keyFor(deployment, scopes) ?? keyFor(deployment, scopes, 'limits') ?? null;
  };

  return {
    /** Why nothing more is sent, or null. */
    ended,
    /** @returns the last try @throws Stopped when the run ends */
    async send(ask: Ask, { script, restores = false }: How): Promise<Exchange> {
      const operation = deployment.operation(ask.operation);
      if (operation === undefined) throw new Stopped(`this deployment has no ${ask.operation}`);
      const key = keyOf(ask);
      const { credential = key === null ? 'none' : 'key', params = {}, unpaced = false } = ask;
      const request = requestOf(ask, key, operation, deployment, () => uuidFrom(environment.random));
      const about: About = {
        script,
        operation: ask.path !== undefined || ask.method !== undefined ? null : ask.operation,
        meant: ask.operation,
        key: key === null || credential === 'unknown' || credential === 'empty' ? null : `${key.tenant}/${key.name}`,
        credential,
        params,
        paced: !unpaced,
        restores,
        ...(ask.facts && { facts: ask.facts }),
        ...(ask.step && { step: ask.step }),
        ...(ask.trial && { trial: ask.trial }),
      };
      // A revoked key may still have its bucket.
      const isKnown = key !== null && (ask.credential ?? 'key') === 'key';
      const pacer = isKnown ? pacerOf(`${key.tenant}/${key.name}`, key.rateLimit) : pacerOf('-', lowest);
      if (unpaced) {
        assertNotEnded();
        pacer.used();
        return (await sendOnce(request, about)).exchange;
      }
      // A lost POST may have been carried out, and a retry could carry it out twice. Starting an upload stores nothing, so a retry is safe.
      const repeatable = request.method !== 'POST' || ask.operation === 'startSiteFileUpload';
      return (await sendPaced(request, about, pacer, { repeatable, barrier: ask.barrier })).exchange;
    },
    /** @returns the last try; null where the reply to the start has no upload URL */
    async put(
      start: Exchange,
      { contentType, bytes, tampered, demand, trial }: Put,
      { script }: How,
    ): Promise<Exchange | null> {
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
        meant: 'storage',
        key: null,
        credential: 'none',
        params: { start: String(start.n) },
        paced: true,
        ...(demand && { demand }),
        ...(tampered && { tampered: other === null ? 'altered' : 'of-another' }),
        ...(trial && { trial }),
        namedBy: deployment.baseUrl,
      };
      const pacer = pacerOf('storage', storageLimit);
      return (await sendPaced({ method: 'PUT', url, headers, body: bytes }, about, pacer)).exchange;
    },
  };
}

/** Whether the reply asks to come back later. A storage says so with any 5xx. */
const isBusy = ({ status, operation }: Exchange) =>
  status !== null && ([429, 502, 503, 504].includes(status) || (operation === 'storage' && status >= 500));

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
