import type { Credential, Exchange } from '../../../conformance/history/exchange.ts';
import { type OperationId, operationList } from '../../../spec/operations.ts';
import { createRedaction, type Redaction } from '../../../spec/redaction/redaction.ts';
import { createRouter } from '../../../spec/routes.ts';
import { pathOf, type SentRequest, type Traffic } from '../traffic.ts';

/** One request as a mock or a recording saw it, not yet redacted. */
export interface Entry
  extends Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'requestBody' | 'requestBytes' | 'sentAt' | 'doneAt'>,
    Pick<SentRequest, 'status' | 'headers' | 'body' | 'connection' | 'fault'> {
  /** Undefined where the recording does not say; the path then decides. */
  readonly operation?: OperationId | null;
}

const router = createRouter(operationList);

/** Characters of a body that are kept. */
const maxBody = 64 * 1024;

interface TrafficOptions extends Partial<Omit<Traffic, 'id' | 'requests' | 'given' | 'marks'>> {
  /** The variation under which the client ran, or the file of the recording. */
  readonly id: string;
  readonly given?: ReadonlyMap<string, string>;
  /** Secrets of known keys with their placeholders. Other keys are found in x-api-key. */
  readonly keys?: ReadonlyMap<string, string>;
  /** The number of the first request. */
  readonly first?: number;
}

/** The requests of a client in the order of sending, redacted, each with its operation. */
export function trafficOf(entries: readonly Entry[], options: TrafficOptions): Traffic {
  const { id, varied = false, stopped = false, late = 0, printsKey = null } = options;
  const { given = new Map<string, string>(), first = 1 } = options;
  const marks = marksOf(entries, options.keys ?? new Map());
  const redaction = createRedaction();
  for (const [secret, mark] of marks) redaction.add(secret, mark);
  const uploads = new Set<string>();
  const requests = entries
    .toSorted((a, b) => a.sentAt - b.sentAt)
    .map((entry, index) => {
      const request = requestOf(entry, { n: first + index, script: id, marks, redaction, uploads });
      if (request.operation === 'startSiteFileUpload') for (const path of uploadPathsIn(entry)) uploads.add(path);
      return request;
    });
  const facts = { id, varied, stopped, late, printsKey };
  return { ...facts, requests, given, marks: [...new Set(marks.values())] };
}

/** The placeholder of each key. */
function marksOf(entries: readonly Entry[], known: ReadonlyMap<string, string>): Map<string, string> {
  const marks = new Map(known);
  for (const { requestHeaders } of entries) {
    const key = requestHeaders['x-api-key'];
    if (key !== undefined && key !== '' && !marks.has(key)) marks.set(key, `$KEY_${marks.size + 1}`);
  }
  return marks;
}

interface Context {
  readonly n: number;
  readonly script: string;
  readonly marks: ReadonlyMap<string, string>;
  readonly redaction: Redaction;
  /** Paths of the upload URLs in earlier replies. */
  readonly uploads: ReadonlySet<string>;
}

function requestOf(entry: Entry, { n, script, marks, redaction, uploads }: Context): SentRequest {
  const { method, sentAt, doneAt, status, connection, fault, requestBytes } = entry;
  const path = pathOf(entry.url);
  const api = path.includes('/v1/') ? path.slice(path.indexOf('/v1/')) : path;
  const route = router.match(method, api);
  const isUpload = method === 'PUT' && (uploads.has(path) || path.startsWith('/storage/'));
  const operation = isUpload
    ? 'storage'
    : entry.operation !== undefined
      ? entry.operation
      : 'id' in route
        ? route.id
        : null;
  const clean = (text: string) => redaction.apply(text);
  const cleanAll = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [clean(name), clean(value)]));
  const shown = entry.requestHeaders['x-api-key'];
  const url = clean(entry.url);
  return {
    n,
    script,
    operation,
    key: shown === undefined ? null : (marks.get(shown) ?? null),
    credential: credentialOf(entry, [...marks.keys()]),
    params: 'params' in route ? route.params : {},
    method,
    url,
    requestHeaders: cleanAll(entry.requestHeaders),
    requestBody: entry.requestBody === null ? null : clean(entry.requestBody).slice(0, maxBody),
    requestBytes,
    sentAt,
    doneAt,
    status,
    headers: cleanAll(entry.headers),
    body: entry.body === null ? null : clean(entry.body).slice(0, maxBody),
    failure: status === null ? 'no reply' : null,
    paced: true,
    connection,
    fault,
  };
}

function credentialOf({ requestHeaders, url }: Entry, keys: readonly string[]): Credential {
  const { 'x-api-key': key, authorization, cookie } = requestHeaders;
  if (key !== undefined) return key === '' ? 'empty' : 'key';
  if (authorization !== undefined) return /^bearer\b/i.test(authorization) ? 'bearer' : 'authorization';
  if (keys.some((secret) => url.includes(secret)) || /[?&](?:x-)?api[-_]?key=/i.test(url)) return 'query';
  if (keys.some((secret) => cookie?.includes(secret))) return 'cookie';
  return keys.some((secret) => Object.values(requestHeaders).some((value) => value.includes(secret)))
    ? 'other-header'
    : 'none';
}

function uploadPathsIn({ body }: Entry): string[] {
  const [, url] = /"uploadUrl"\s*:\s*"([^"]+)"/.exec(body ?? '') ?? [];
  return url === undefined ? [] : [pathOf(url.replaceAll('\\/', '/'))];
}
