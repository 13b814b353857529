import type { RuleId } from '../spec/rules.ts';
import { type ApiReply, json } from './message.ts';
import type { Trace } from './trace.ts';

/**
 * Every case in which the API refuses a request, with the status of its reply and the rule that it follows. A throttled request is not
 * listed, because its body has another form (`throttledBody`). Where the specification is silent, a profile may choose otherwise.
 */
export const refusals = {
  'no-key': { status: 403, rule: 'auth/no-key-is-403' },
  'unknown-key': { status: 403, rule: 'auth/unknown-key-is-403' },
  'revoked-key': { status: 403, rule: 'auth/revoked-key-is-403' },
  'bearer-only': { status: 403, rule: 'auth/bearer-is-not-supported' },
  'too-large': { status: 413, rule: 'limits/too-large-is-413' },
  'unknown-path': { status: 404, rule: 'errors/routing' },
  'wrong-method': { status: 405, rule: 'errors/routing' },
  'malformed-path': { status: 400, rule: 'ids/malformed-is-refused' },
  'incomplete-body': { status: 400, rule: 'errors/invalid-request-is-400' },
  'missing-scope': { status: 403, rule: 'scopes/missing-scope-is-403' },
  'not-json': { status: 415, rule: 'transport/json-both-ways' },
  'malformed-json': { status: 400, rule: 'errors/invalid-request-is-400' },
  'wrong-json-type': { status: 400, rule: 'errors/invalid-request-is-400' },
  'missing-content-type': { status: 400, rule: 'upload/content-type-is-required' },
  'empty-content-type': { status: 400, rule: 'upload/content-type-is-required' },
  'additional-property': { status: 400, rule: 'upload/no-additional-properties' },
  'missing-file-key': { status: 400, rule: 'upload/register-takes-file-key' },
  'malformed-file-key': { status: 400, rule: 'upload/register-takes-file-key' },
  'malformed-label-id': { status: 400, rule: 'ids/malformed-is-refused' },
  'malformed-conversation-id': { status: 400, rule: 'ids/malformed-is-refused' },
  'malformed-client-id': { status: 400, rule: 'ids/malformed-is-refused' },
  'unknown-conversation': { status: 404, rule: 'errors/unknown-is-404' },
  'unknown-site': { status: 404, rule: 'errors/unknown-is-404' },
  'unknown-client': { status: 404, rule: 'errors/unknown-is-404' },
  'unknown-link': { status: 404, rule: 'errors/unknown-is-404' },
  'unknown-label': { status: 404, rule: 'errors/unknown-is-404' },
  'unknown-file-key': { status: 404, rule: 'errors/unknown-is-404' },
  // What belongs to others gets the same reply as what does not exist, so that nobody learns that it exists.
  'foreign-conversation': { status: 404, rule: 'isolation/reads-stay-in-tenant' },
  'foreign-site': { status: 404, rule: 'isolation/reads-stay-in-tenant' },
  'foreign-client': { status: 404, rule: 'isolation/reads-stay-in-tenant' },
  'foreign-link': { status: 404, rule: 'isolation/reads-stay-in-tenant' },
  'foreign-label': { status: 404, rule: 'isolation/writes-stay-in-tenant' },
  'private-label': { status: 404, rule: 'labels/private-cannot-be-applied' },
  'foreign-file-key': { status: 404, rule: 'isolation/writes-stay-in-tenant' },
  'register-before-put': { status: 422, rule: 'upload/register-before-put-is-422' },
  'register-twice': { status: 409, rule: 'upload/register-twice-is-409' },
  'internal-error': { status: 500, rule: 'errors/internal-error' },
} as const satisfies Record<string, { status: number; rule: RuleId }>;

/** Why a request is refused. */
export type RefusalCase = keyof typeof refusals;

/** The rule of the contract that a refusal follows; null if there is none. */
export function ruleOf(refused: Trace['refused']): RuleId | null {
  if (refused === 'throttled') return 'limiter/over-the-rate-is-429';
  return refused !== null && refused in refusals ? refusals[refused as RefusalCase].rule : null;
}

/** Thrown by an operation before it changes the state, so that a refused request changes nothing. */
export class Refusal {
  readonly case: RefusalCase;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** A more detailed message for the journal. The client does not get it. */
  readonly detail: string | undefined;
  /** The ids that were not found. */
  readonly sought: readonly string[];

  constructor(
    refusalCase: RefusalCase,
    message: string,
    more: { headers?: Readonly<Record<string, string>>; detail?: string; sought?: readonly string[] } = {},
  ) {
    this.case = refusalCase;
    this.message = message;
    this.headers = more.headers;
    this.detail = more.detail;
    this.sought = more.sought ?? [];
  }
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

const throttled = json(429, throttledBody());

/** The reply to a request beyond the rate. */
export const throttledReply = (retryAfter: number): ApiReply => ({
  status: throttled.status,
  headers: { ...throttled.headers, 'retry-after': String(retryAfter) },
  body: throttled.body,
});

/** The error body of the specification: `{"error":{"code","message"}}`. */
export function errorReply(
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): ApiReply {
  return json(status, { error: { code, message } }, headers);
}
