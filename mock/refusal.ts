import { refusals as openRefusals } from '../spec/refusals.ts';
import type { RuleId } from '../spec/rules.ts';
import { type ApiReply, json } from './message.ts';
import type { Trace } from './trace.ts';

/**
 * Every case in which the API refuses a request, with the status of its reply and the rule that it follows. A throttled request is not
 * listed, because its body has another form (`throttledBody`).
 */
export const refusals = {
  ...openRefusals,
  'malformed-path': [400, 'ids/malformed-is-refused'],
  'incomplete-body': [400, 'errors/invalid-request-is-400'],
  'register-before-put': [422, 'upload/register-before-put-is-422'],
  'register-twice': [409, 'upload/register-twice-is-409'],
  'internal-error': [500, 'errors/internal-error'],
} as const satisfies Record<string, readonly [status: number, rule: RuleId, when?: string]>;

/** Why a request is refused. */
export type RefusalCase = keyof typeof refusals;

/** The rule of the contract that a refusal follows; null if there is none. */
export function ruleOf(refused: Trace['refused']): RuleId | null {
  if (refused === 'throttled') return 'limiter/over-the-rate-is-429';
  return refused !== null && refused in refusals ? refusals[refused as RefusalCase][1] : null;
}

/** Thrown by an operation before it changes the state, so that a refused request changes nothing. */
export class Refusal {
  readonly case: RefusalCase;
  readonly message: string;
  readonly more: RefusalMore;

  constructor(refusalCase: RefusalCase, message: string, more: RefusalMore = {}) {
    this.case = refusalCase;
    this.message = message;
    this.more = more;
  }
}

interface RefusalMore {
  readonly headers?: Readonly<Record<string, string>>;
  /** A more detailed message for the journal. The client does not get it. */
  readonly detail?: string;
  /** The ids that were not found. */
  readonly sought?: readonly string[];
}

/**
 * Throws a refusal. Usable as an expression: `tenant.sites.get(id) ?? refuse('unknown-site', ...)`.
 * @param sought the ids that were not found
 */
export function refuse(refusalCase: RefusalCase, message: string, ...sought: readonly string[]): never {
  throw new Refusal(refusalCase, message, { sought });
}

/** The usual `error.code` of a status. */
export const errorCode = (status: number): string => codes[status] ?? `HTTP_${status}`;

const codes: Readonly<Record<number, string>> = {
  504: 'GATEWAY_TIMEOUT',
  503: 'SERVICE_UNAVAILABLE',
  502: 'BAD_GATEWAY',
  500: 'INTERNAL_SERVER_ERROR',
  422: 'UNPROCESSABLE_ENTITY',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  413: 'PAYLOAD_TOO_LARGE',
  410: 'GONE',
  409: 'CONFLICT',
  405: 'METHOD_NOT_ALLOWED',
  404: 'NOT_FOUND',
  403: 'FORBIDDEN',
  401: 'UNAUTHORIZED',
  400: 'BAD_REQUEST',
};

/** The body of a 429. The specification gives it one field, `message`, instead of the usual error body. */
export const throttledBody = (message = 'Too Many Requests') => ({ message });

/** The reply to a request beyond the rate. */
export const throttledReply = (retryAfter: number): ApiReply =>
  json(429, throttledBody(), { 'retry-after': String(retryAfter) });

/** The error body of the specification: `{"error":{"code","message"}}`. */
export function errorReply(
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): ApiReply {
  return json(status, { error: { code, message } }, headers);
}
