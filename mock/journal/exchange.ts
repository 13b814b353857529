import type { OperationId } from '../../spec/operations.ts';
import { createRedaction, type Redaction } from '../../spec/redaction/redaction.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { ApiKey } from '../keys/key-ring.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import { ruleOf } from '../refusal.ts';
import type { Trace } from '../trace.ts';

/** The kept part of a body. */
export interface KeptBody {
  /** The body as text, shortened if it is larger than the journal keeps. */
  readonly text: string;
  /** The size of the whole body. */
  readonly bytes: number;
  readonly shortened: boolean;
}

/** One request and its reply, without API keys and signatures. */
export interface Exchange {
  /** Counts up from 1 over the life of the mock. */
  readonly id: number;
  /** When the request was handled: milliseconds since the epoch, by the mock's clock. */
  readonly at: number;
  /** How long the reply took, in milliseconds of real time, without injected latency. */
  readonly milliseconds: number;
  readonly tenant: string | null;
  /** The name of the API key; null if the request had no known key. */
  readonly key: string | null;
  /** Null for the storage target and for paths that the API does not have. */
  readonly operationId: OperationId | null;
  readonly request: {
    readonly method: string;
    /** Path and query. */
    readonly url: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    /** Null if the request had no body, or if the body was streamed into the file store. */
    readonly body: KeptBody | null;
  };
  readonly reply: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: KeptBody | null;
    /** How a fault damaged the reply. */
    readonly broken: 'dropped' | 'truncated' | null;
    /** Milliseconds of injected latency. */
    readonly delay: number;
  };
  /** Why the request was refused; null when the request was served. */
  readonly refused: Trace['refused'];
  /** The reason of the refusal as text. */
  readonly why: string | null;
  /** The rule of the contract behind the refusal, if there is one. */
  readonly rule: RuleId | null;
  /** The id of the fault that affected the request. */
  readonly fault: string | null;
  /** The address of the deployment that answered in place of the mock (`passthrough`); null where the mock answered. */
  readonly passedTo: string | null;
}

/** A request and its reply as they came. */
export interface Observed extends Pick<ApiRequest, 'method' | 'url' | 'headers'>, Pick<Exchange, 'id' | 'at'> {
  readonly milliseconds: number;
  readonly tenant: string | null;
  readonly reply: ApiReply;
  readonly trace: Trace;
}

/**
 * The exchange without secrets.
 * @param secrets redacts the keys of the mock
 * @param bodyBytes how many bytes of each body are kept
 */
export function exchangeOf(
  { id, tenant, at, milliseconds, method, url, headers, reply, trace }: Observed,
  secrets: Redaction,
  bodyBytes: number,
): Exchange {
  const unknown = trace.key === null && headers['x-api-key'] !== undefined ? createRedaction() : null;
  unknown?.add(headers['x-api-key'] ?? '', '…');
  const redact = (text: string) => (unknown === null ? secrets.apply(text) : unknown.apply(secrets.apply(text)));
  const { body: sent, fault, passedTo } = trace;
  const kept = (text: string, bytes: number) => keptBody(text, bytes, redact, secrets.maxLength, bodyBytes);
  return {
    id,
    at,
    milliseconds,
    tenant,
    key: trace.key?.name ?? null,
    operationId: trace.operationId,
    request: {
      method,
      url: redact(url),
      headers: withoutCredentials(headers, trace.key, redact),
      body: sent === null || sent.length === 0 ? null : kept(utf8.decode(sent), sent.length),
    },
    reply: {
      status: reply.status,
      headers: {
        ...Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, redact(value)])),
        ...('set-cookie' in reply.headers && { 'set-cookie': '…' }),
      },
      body: reply.body === null ? null : kept(reply.body, reply.body.length),
      broken: reply.broken ?? null,
      delay: reply.delay ?? 0,
    },
    refused: trace.refused,
    why: trace.why === null ? null : redact(trace.why),
    rule: ruleOf(trace.refused),
    fault: fault?.id ?? null,
    passedTo,
  };
}

const utf8 = new TextDecoder();

/** @param margin half a secret would not be redacted, so this much more is read than kept: no secret is split at the end */
function keptBody(
  text: string,
  bytes: number,
  redact: (text: string) => string,
  margin: number,
  limit: number,
): KeptBody {
  const read = redact(text.slice(0, limit + margin));
  const whole = text.length <= limit + margin ? read : read.slice(0, Math.max(0, read.length - margin));
  if (whole.length <= limit && bytes <= limit) return { text: whole, bytes, shortened: false };
  // A slice would keep the whole text in memory.
  return { text: JSON.parse(JSON.stringify(whole.slice(0, limit))), bytes, shortened: true };
}

/** Headers whose names say that they hold credentials. */
const credential = /^(?:cookie|proxy-authorization)$|api[-_]?key|token|secret|password|signature/;

/** The headers without credentials. Of a known key, the part that the portal shows is left. */
function withoutCredentials(headers: ApiRequest['headers'], key: ApiKey | null, clean: (text: string) => string) {
  const redacted: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) redacted[name] = undefined;
    else if (name === 'x-api-key')
      redacted[name] = key === null ? `(unknown key, ${value.length} characters)` : `${value}…`;
    // The scheme stays; without a scheme the whole value is redacted.
    else if (name === 'authorization') redacted[name] = `${/^[a-z-]{1,20} /i.exec(value)?.[0] ?? ''}…`;
    // A client may have put the secret into the name of a header by mistake.
    else redacted[clean(name)] = credential.test(name) ? '…' : clean(value);
  }
  return redacted;
}
