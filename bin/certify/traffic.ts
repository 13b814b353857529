import type { Exchange } from '../../conformance/history/exchange.ts';
import { rounded } from '../../conformance/reports/row-of.ts';
import { type OperationId, operationList } from '../../spec/operations.ts';
import { createRedaction } from '../../spec/redaction/redaction.ts';
import { createRouter } from '../../spec/routes.ts';

/** One request of a client with its reply, as the mock or a recording saw it. */
export interface SentRequest extends Exchange {
  /** Its port, or the name in a recording; null where unknown. */
  readonly connection: number | string | null;
  /** Whether a fault of the mock made or changed the reply. */
  readonly fault: boolean;
}

/** The requests of one run of a client. */
export interface Traffic {
  /** The variation under which it ran, or the file of the recording. */
  readonly id: string;
  /** Whether the mock varied its behaviour. Such a run says nothing about everyday behaviour. */
  readonly varied: boolean;
  /** Whether the command was stopped, so that its last attempts may not be the end of them. */
  readonly stopped: boolean;
  /** Milliseconds by which timers of the judge were late, which a busy machine adds to every pause. */
  readonly late: number;
  /** The first line of the output of the command that has the key, redacted; null for recordings. */
  readonly printsKey: string | false | null;
  /** In the order of sending. */
  readonly requests: readonly SentRequest[];
  /** Ids that the client was given in advance, each with the name of its environment variable. */
  readonly given: ReadonlyMap<string, string>;
  /** Placeholders of keys. */
  readonly marks: readonly string[];
}

/** One request as a mock or a recording saw it, not yet redacted. */
export interface Entry
  extends Pick<Exchange, 'method' | 'url' | 'requestBody' | 'requestBytes' | 'sentAt' | 'doneAt'>,
    Pick<SentRequest, 'status' | 'headers' | 'body' | 'connection' | 'fault'> {
  /** Names are in lower case. */
  readonly requestHeaders: Readonly<Record<string, string | undefined>>;
  /** Undefined where the recording does not say; the path then decides. */
  readonly operation?: OperationId | null;
}

interface TrafficOptions extends Partial<Omit<Traffic, 'id' | 'requests' | 'marks'>> {
  readonly id: string;
  /** Secrets of known keys with their placeholders. Other keys are found in x-api-key. */
  readonly keys?: ReadonlyMap<string, string>;
  /** The number of the first request. */
  readonly first?: number;
}

const router = createRouter(operationList);

/** Characters of a body that are kept. */
const maxBody = 64 * 1024;

/** The requests of a client in the order of sending, redacted, each with its operation. */
export function trafficOf(entries: readonly Entry[], options: TrafficOptions): Traffic {
  const { id, varied = false, stopped = false, late = 0, printsKey = null, given = new Map(), first = 1 } = options;
  const marks = new Map(options.keys);
  for (const { requestHeaders } of entries) {
    const { 'x-api-key': key = '' } = requestHeaders;
    if (key !== '' && !marks.has(key)) marks.set(key, `$KEY_${marks.size + 1}`);
  }
  const redaction = createRedaction();
  for (const [secret, mark] of marks) redaction.add(secret, mark);
  const clean = (text: string | null) => (text === null ? null : redaction.apply(text).slice(0, maxBody));
  const cleanAll = (all: Entry['requestHeaders']) =>
    Object.fromEntries(
      Object.entries(all).map(([name, value = '']) => [redaction.apply(name.toLowerCase()), redaction.apply(value)]),
    );
  const uploads = new Set<string>();
  const requestOf = (entry: Entry, index: number): SentRequest => {
    const { method, url, status, requestHeaders, sentAt, doneAt } = entry;
    const { 'x-api-key': key = '' } = requestHeaders;
    const path = pathOf(url);
    const route = router.match(method, path.slice(Math.max(0, path.indexOf('/v1/'))));
    const isUpload = method === 'PUT' && (uploads.has(path) || path.startsWith('/storage/'));
    const { operation = 'id' in route ? route.id : null } = entry;
    // Recordings show by an earlier reply which address is the file storage.
    const [, upload] = /"uploadUrl"\s*:\s*"([^"]+)"/.exec(entry.body ?? '') ?? [];
    if (operation === 'startSiteFileUpload' && upload) uploads.add(pathOf(upload.replaceAll('\\/', '/')));
    return {
      ...entry,
      // As reports have them, so that a pause has the same words everywhere.
      sentAt: rounded(sentAt),
      doneAt: rounded(doneAt),
      n: first + index,
      script: id,
      operation: isUpload ? 'storage' : operation,
      key: marks.get(key) ?? null,
      credential: key !== '' ? 'key' : 'x-api-key' in requestHeaders ? 'empty' : 'none',
      params: 'params' in route ? route.params : {},
      url: redaction.apply(url),
      requestHeaders: cleanAll(requestHeaders),
      requestBody: clean(entry.requestBody),
      headers: cleanAll(entry.headers),
      body: clean(entry.body),
      failure: status === null ? 'no reply' : null,
      paced: true,
    };
  };
  const requests = entries.toSorted((a, b) => a.sentAt - b.sentAt).map(requestOf);
  return { id, varied, stopped, late, printsKey, requests, given, marks: [...new Set(marks.values())] };
}

/** Whether this is a request to the API, and not to the file store or another server. */
export const isToApi = ({ operation, url }: SentRequest): boolean =>
  operation !== 'storage' && pathOf(url).includes('/v1');

/** Whether the whole body was recorded. A server that refuses early does not read the body, and recordings may leave bodies out. */
export const isBodyKnown = ({ requestBody, requestBytes, requestHeaders }: SentRequest): boolean =>
  requestBody === null
    ? requestBytes === 0 && requestHeaders['transfer-encoding'] === undefined
    : requestBody.length >= requestBytes / 4;

/** The path of a URL, absolute or not. */
export const pathOf = (url: string): string =>
  url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');

type Attempt = Omit<Entry, 'operation'>;

/** Whether both are the same request, regardless of key and time. */
export const isSame = (a: Attempt, b: Attempt): boolean =>
  a.method === b.method && a.url === b.url && a.requestBody === b.requestBody && a.requestBytes === b.requestBytes;

/** Milliseconds within which a sender on another connection may not know a reply yet. */
const maxUnaware = 100;

/** Whether the sender of `later` can have known the reply to `before`. @param all requests of the client: who sends one at a time knows each reply */
export function knew(later: SentRequest, before: SentRequest, all: readonly SentRequest[]): boolean {
  const gap = later.sentAt - before.doneAt;
  const isSameSender = later.connection !== null && later.connection === before.connection;
  const isOneAtATime = () => all.every(({ sentAt }, i) => sentAt >= (all[i - 1]?.doneAt ?? 0));
  return gap >= 0 && (isSameSender || isSame(later, before) || gap > maxUnaware || isOneAtATime());
}

/** More attempts than this count as endless retrying. */
export const maxAttempts = 12;

/** Said of a client that was stopped before it gave up. */
export const stillTrying = (attempts: number) =>
  `it was still trying after ${attempts} attempts when its run was stopped; a longer --timeout shows whether it gives up`;

/** Requests grouped into attempts: the same request again, sent after the reply to a failed one. */
export function attemptsIn<T extends Attempt>(requests: readonly T[]): T[][] {
  const all: T[][] = [];
  for (const request of requests) {
    const attempts = all.findLast(([first]) => first !== undefined && isSame(first, request));
    const last = attempts?.at(-1);
    if (last !== undefined && isFailure(last) && last.doneAt <= request.sentAt) attempts?.push(request);
    else all.push([request]);
  }
  return all;
}

export const isFailure = ({ status }: Pick<Exchange, 'status'>): boolean => status === null || status >= 400;
