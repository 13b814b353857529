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
  /** The id of the fault, or of the way of being wrong, that affected the request. */
  readonly fault: string | null;
  /** The rule that the mock broke on purpose. */
  readonly breaks: RuleId | null;
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
  let said = url;
  for (const name in headers) if (name !== 'x-api-key') said += `\n${name}: ${headers[name]}`;
  const { body: sent, fault, passedTo } = trace;
  // A reply of the mock can repeat a secret only if the request had it outside of the key's header, or a fault put it there.
  const isClean = redact(said) === said && sent === null && fault === null && passedTo === null;
  const clean = isClean ? (text: string) => text : redact;
  const text = clean(reply.body ?? '');
  return {
    id,
    at,
    milliseconds,
    tenant,
    key: trace.key?.name ?? null,
    operationId: trace.operationId,
    request: {
      method,
      url: clean(url),
      headers: withoutCredentials(headers, trace.key, clean),
      body: sent === null || sent.length === 0 ? null : keptBytes(sent, redact, secrets.maxLength, bodyBytes),
    },
    reply: {
      status: reply.status,
      headers: isClean
        ? reply.headers
        : {
            ...Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, clean(value)])),
            ...('set-cookie' in reply.headers && { 'set-cookie': '…' }),
          },
      body: reply.body === null ? null : shortened(text, text.length, bodyBytes),
      broken: reply.broken ?? null,
      delay: reply.delay ?? 0,
    },
    refused: trace.refused,
    why: trace.why === null ? null : clean(trace.why),
    rule: ruleOf(trace.refused),
    fault: fault?.id ?? null,
    breaks: fault?.breaks ?? null,
    passedTo,
  };
}

/** @param margin half a secret would not be redacted, so this much more is read than kept: no secret is split at the end */
function keptBytes(bytes: Uint8Array, redact: (text: string) => string, margin: number, limit: number): KeptBody {
  const read = bytes.length > limit ? bytes.subarray(0, limit + margin) : bytes;
  const redacted = redact(utf8.decode(read));
  const whole = read.length === bytes.length ? redacted : redacted.slice(0, Math.max(0, redacted.length - margin));
  return shortened(whole, bytes.length, limit);
}

const utf8 = new TextDecoder();

/** Copies the beginning of a text. A slice would keep the whole text in memory. */
function shortened(text: string, bytes: number, limit: number): KeptBody {
  if (text.length <= limit && bytes <= limit) return { text, bytes, shortened: false };
  return { text: JSON.parse(JSON.stringify(text.slice(0, limit))), bytes, shortened: true };
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
