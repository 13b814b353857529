import { type Exchange, isObject, jsonOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy } from '../judging/asked.ts';
import { errorBodyFault, errorCode, isGatewayBody } from '../judging/error-body.ts';
import { type Law, lawOf, lawOfReplies } from '../judging/law.ts';
import { isOperationsOwn, lineOf, statusWords } from '../judging/served.ts';
import { lawOfRefusals } from './refusals.ts';

/** Statuses that a gateway may send in place of the service. */
const gatewayStatuses: readonly (number | null)[] = [408, 411, 413, 429, 431, 502, 503, 504];

const isApi = ({ operation }: Exchange) => operation !== null && operation !== 'storage';

/** Whether the service itself surely sent this error, and not a gateway, router or firewall. */
function isFromService(exchange: Exchange, history: History): boolean {
  const { status, headers } = exchange;
  const json = jsonOf(exchange);
  const { authenticates, lacks, record, label } = askedBy(exchange, history);
  if (gatewayStatuses.includes(status)) return false;
  if ((status === 404 || status === 405) && !isOperationsOwn(exchange, history)) return false;
  if ((status === 403 || status === 415) && isGatewayBody(exchange)) return false;
  // For refusals because of the key an error body is only a should, with a law of its own. A broken error body is still an error.
  if (status === 403 && (!authenticates || lacks.length > 0)) return isObject(json) && 'error' in json;
  // A firewall or the web server may refuse in its own words what no lawful client sends: odd characters, other spellings of a path.
  const isOdd = Object.values(exchange.params).some((id) => !/^[\w-]+$/.test(id));
  if (isOdd || /^(unusual|path|method)\//.test(exchange.twist ?? '')) return false;
  // A firewall may stop a malformed path, or no route may match the path. A 400 for an id of usual characters shows that the service read the id.
  const isMalformed = record === 'malformed' || label === 'malformed';
  const isRead = status === 400 && Object.values(exchange.params).every((id) => /^[\w-]+$/.test(id));
  return !(isMalformed && !isRead && json === undefined && !headers['content-type']?.includes('json'));
}

const bodies = lawOfReplies({
  rule: 'errors/body',
  title: 'every error reply of an operation carries the error body',
  applies: (exchange, history) => isApi(exchange) && (exchange.status ?? 0) >= 400 && isFromService(exchange, history),
  judge: (exchange) => {
    const fault = errorBodyFault(exchange);
    if (fault === null) return null;
    const expected = `error.code and error.message in the refusal of ${lineOf(exchange)}`;
    return { expected, observed: `${fault}: ${statusWords(exchange)}` };
  },
});

const declared: readonly (number | null)[] = [400, 401, 403, 404, 422, 500];
/** Statuses that the operation need not declare, because a gateway or the web server sends them. */
const undeclared: readonly (number | null)[] = [...gatewayStatuses, 415];

const uploadStatuses = lawOfReplies({
  rule: 'errors/upload-statuses-are-declared',
  title: 'every refusal of a start has a status that upload-url declares',
  applies: ({ operation, status }) =>
    operation === 'startSiteFileUpload' && (status ?? 0) >= 400 && !undeclared.includes(status),
  judge: (exchange) =>
    declared.includes(exchange.status)
      ? null
      : { expected: `one of ${declared.join(', ')} for ${lineOf(exchange)}`, observed: statusWords(exchange) },
});

const usualCodes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_ENTITY',
  500: 'INTERNAL_SERVER_ERROR',
};

const codes = lawOf('errors/codes', 'a status has one code, named after it', ({ exchanges }) => {
  const coded = exchanges.filter(
    (one) => one.operation !== 'storage' && (one.status ?? 0) >= 400 && errorCode(one) !== undefined,
  );
  const byStatus = Map.groupBy(coded, ({ status }) => status ?? 0);
  return {
    applied: coded.length,
    breaches: coded
      .filter((one) => errorCode(one) !== usualCodes[one.status ?? 0])
      .map((exchange) => ({
        exchange,
        expected: `${usualCodes[exchange.status ?? 0] ?? 'another status than'} for ${exchange.status}`,
        observed: errorCode(exchange) ?? '',
      })),
    answers: [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, replies]) => `${status} ${[...new Set(replies.map(errorCode))].sort().join(' or ')}`),
  };
});

/** Laws about error replies. */
export const errors: readonly Law[] = [
  bodies,
  uploadStatuses,
  codes,
  lawOfRefusals('errors/invalid-request-is-400', 'a request of another form than the declared one is answered 400', {
    'malformed-json': [400],
    'wrong-json-type': [400],
    'missing-content-type': [400],
    'empty-content-type': [400],
    'additional-property': [400],
    'missing-file-key': [400],
    'malformed-file-key': [400],
    'malformed-conversation-id': [400],
    'malformed-client-id': [400],
    'malformed-label-id': [400],
  }),
  lawOfRefusals('errors/unknown-is-404', 'whatever is unknown, private or foreign is answered 404', {
    'unknown-conversation': [404],
    'unknown-site': [404],
    'unknown-client': [404],
    'unknown-link': [404],
    'unknown-label': [404],
    'private-label': [404, 403],
    'foreign-conversation': [404, 403],
    'foreign-site': [404, 403],
    'foreign-client': [404, 403],
    'foreign-link': [404, 403],
  }),
  lawOfRefusals('errors/routing', 'requests that lead nowhere are answered 404, 405 or 415', {
    'unknown-path': [404],
    'wrong-method': [405],
    'not-json': [415],
  }),
  lawOfReplies({
    rule: 'errors/routing',
    id: 'errors/routing/allow',
    title: 'a 405 names the methods that are allowed',
    applies: ({ status, operation }) => status === 405 && operation !== 'storage',
    judge: ({ headers }) =>
      headers.allow === undefined ? { expected: 'an Allow header beside 405', observed: 'none' } : null,
  }),
];
