import { type ApiReply, json } from './message.ts';

/**
 * Every case in which the API refuses a request, with the status and code of its reply. A throttled request is not listed,
 * because its body has another form (`throttledBody`). Where the specification is silent, a profile may choose otherwise.
 */
export const refusals = {
  'no-key': { status: 403, code: 'FORBIDDEN' },
  'unknown-key': { status: 403, code: 'FORBIDDEN' },
  'revoked-key': { status: 403, code: 'FORBIDDEN' },
  'bearer-only': { status: 403, code: 'FORBIDDEN' },
  'too-large': { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  'unknown-path': { status: 404, code: 'NOT_FOUND' },
  'wrong-method': { status: 405, code: 'METHOD_NOT_ALLOWED' },
  'malformed-path': { status: 400, code: 'BAD_REQUEST' },
  'incomplete-body': { status: 400, code: 'BAD_REQUEST' },
  'missing-scope': { status: 403, code: 'FORBIDDEN' },
  'not-json': { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  'malformed-json': { status: 400, code: 'BAD_REQUEST' },
  'wrong-json-type': { status: 400, code: 'BAD_REQUEST' },
  'missing-content-type': { status: 400, code: 'BAD_REQUEST' },
  'empty-content-type': { status: 400, code: 'BAD_REQUEST' },
  'additional-property': { status: 400, code: 'BAD_REQUEST' },
  'missing-file-key': { status: 400, code: 'BAD_REQUEST' },
  'malformed-file-key': { status: 400, code: 'BAD_REQUEST' },
  'malformed-label-id': { status: 400, code: 'BAD_REQUEST' },
  'malformed-conversation-id': { status: 400, code: 'BAD_REQUEST' },
  'malformed-client-id': { status: 400, code: 'BAD_REQUEST' },
  'unknown-conversation': { status: 404, code: 'NOT_FOUND' },
  'unknown-site': { status: 404, code: 'NOT_FOUND' },
  'unknown-client': { status: 404, code: 'NOT_FOUND' },
  'unknown-link': { status: 404, code: 'NOT_FOUND' },
  'unknown-label': { status: 404, code: 'NOT_FOUND' },
  'unknown-file-key': { status: 404, code: 'NOT_FOUND' },
  // What belongs to others gets the same reply as what does not exist, so that nobody learns that it exists.
  'foreign-conversation': { status: 404, code: 'NOT_FOUND' },
  'foreign-site': { status: 404, code: 'NOT_FOUND' },
  'foreign-client': { status: 404, code: 'NOT_FOUND' },
  'foreign-link': { status: 404, code: 'NOT_FOUND' },
  'foreign-label': { status: 404, code: 'NOT_FOUND' },
  'private-label': { status: 404, code: 'NOT_FOUND' },
  'foreign-file-key': { status: 404, code: 'NOT_FOUND' },
  'register-before-put': { status: 422, code: 'UNPROCESSABLE_ENTITY' },
  'register-twice': { status: 409, code: 'CONFLICT' },
  'internal-error': { status: 500, code: 'INTERNAL_SERVER_ERROR' },
} as const satisfies Record<string, { status: number; code: string }>;

/** Why a request is refused. */
export type RefusalCase = keyof typeof refusals;

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
  401: 'UNAUTHORIZED',
  410: 'GONE',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
  ...Object.fromEntries(Object.values(refusals).map(({ status, code }) => [status, code])),
};

/** The body of a 429. The specification gives it one field, `message`, instead of the usual error body. */
export const throttledBody = (message = 'Too Many Requests') => ({ message });

/** The error body of the specification: `{"error":{"code","message"}}`. */
export function errorReply(
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): ApiReply {
  return json(status, { error: { code, message } }, headers);
}
