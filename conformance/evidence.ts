import type { OperationId } from '../spec/operations.ts';
import type { HttpReply, HttpRequest } from './client/http.ts';
import type { Redaction } from './redaction.ts';

/** One request and what became of it, redacted: what reports show. */
export interface Exchange {
  readonly operationId: OperationId | 'storage' | null;
  /** Name of the key, `tenant/key`; null where none was sent. */
  readonly key: string | null;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  /** Of the body as it was sent: what is shown of it may be shorter. */
  readonly requestBytes: number;
  /** Milliseconds since the epoch: just before sending and just after the reply. */
  readonly sentAt: number;
  readonly doneAt: number;
  /** Null where no reply came; `error` then says why. */
  readonly status: number | null;
  readonly replyHeaders: Readonly<Record<string, string>>;
  readonly replyBody: string | null;
  readonly error: string | null;
  /** Repeats the request, with `$KEY_NAME` in place of secrets. */
  readonly curl: string;
}

/** Bodies are kept up to this many characters; what is cut off is counted. */
const longestBody = 4_000;

export interface Observed {
  readonly operationId: OperationId | 'storage' | null;
  readonly key: string | null;
  readonly request: HttpRequest;
  readonly sentAt: number;
  readonly doneAt: number;
  readonly reply: HttpReply | null;
  readonly error: string | null;
}

export function exchangeOf({ request, reply, ...observed }: Observed, redaction: Redaction): Exchange {
  const clean = (text: string) => redaction.apply(text);
  const requestBody = request.body === null ? null : shown(request.body, redaction);
  const requestHeaders = mapValues(request.headers, clean);
  return {
    operationId: observed.operationId,
    key: observed.key,
    method: request.method,
    url: clean(request.url),
    requestHeaders,
    requestBody,
    requestBytes: request.body?.length ?? 0,
    sentAt: observed.sentAt,
    doneAt: observed.doneAt,
    status: reply?.status ?? null,
    replyHeaders: mapValues(reply?.headers ?? {}, clean),
    replyBody: reply === null ? null : shown(reply.body, redaction),
    error: observed.error === null ? null : clean(observed.error),
    curl: curlOf(request.method, clean(request.url), requestHeaders, requestBody, request.body?.length ?? 0),
  };
}

function curlOf(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | null,
  size: number,
) {
  const parts = ['curl -i', ...(method === 'GET' ? [] : [`-X ${method}`])];
  // Double quotes around headers, so that the shell puts the key in the place of its name.
  for (const [name, value] of Object.entries(headers)) parts.push(`-H "${name}: ${value.replace(/["\\`]/g, '\\$&')}"`);
  if (body !== null)
    parts.push(size > longestBody ? `--data-binary @body-of-${size}-bytes` : `--data-binary ${quote(body)}`);
  return [...parts, quote(url)].join(' ');
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function shown(bytes: Uint8Array, redaction: Redaction): string {
  const head = bytes.subarray(0, longestBody * 4);
  // Files go to upload URLs: their bytes are nothing to read, and no report can hold a NUL.
  if (head.includes(0)) return `(${bytes.length} bytes that are no text)`;
  const cut = bytes.length > head.length;
  const whole = redaction.apply(new TextDecoder().decode(head));
  // Half a secret is not recognised.
  const text = cut ? whole.slice(0, Math.max(0, whole.length - redaction.longest)) : whole;
  const rest = cut || text.length > longestBody;
  return rest ? `${text.slice(0, longestBody)}… (${bytes.length} bytes in all)` : text;
}

const mapValues = (record: Readonly<Record<string, string>>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
