/** How a deployment refuses, case by case. */
import type { RefusalCase } from '../../../spec/files/profile-schema.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { storageReason } from '../../../spec/text/storage-reason.ts';
import { uuid } from '../../../spec/text/uuid.ts';
import type { Case } from '../../contract/case.ts';
import { belowId, otherMethodId } from '../../contract/request.ts';
import { type Exchange, isObject, jsonOf, refused } from '../../history/exchange.ts';
import type { ProfilePatch } from '../../profile.ts';
import type { Answer, Question } from './question.ts';

const ofCallers: Readonly<Partial<Record<Case['caller'], RefusalCase>>> = {
  none: 'no-key',
  bearer: 'bearer-only',
  unknown: 'unknown-key',
  revoked: 'revoked-key',
};

/** The only problem of a request; null where there is none, or several. */
function refusalCaseOf(asked: Case, exchange: Exchange): RefusalCase | null {
  const { caller, lacks, owner, label, mutation } = asked;
  const isOurs = owner === null || owner === 'ours';
  const isSpare = label === null || label === 'spare';
  if (caller !== 'valid' || lacks === 'named')
    return mutation === null && isOurs && isSpare
      ? (ofCallers[caller] ?? (lacks === 'named' ? 'missing-scope' : null))
      : null;
  if (lacks !== 'none') return null;
  if (mutation !== null) return isOurs && isSpare ? ofMutation(asked, exchange) : null;
  const kind = kindOf(asked);
  // A server in front may answer an id of odd letters.
  const isPlain = Object.values(exchange.params).every((id) => /^[\w-]+$/.test(id));
  if (owner === 'malformed') {
    const { clientId, id = clientId ?? '' } = exchange.params;
    if (!isPlain || kind === 'site' || (kind !== 'conversation' && id.startsWith('ovcid-'))) return null;
    return kind === 'conversation' ? 'malformed-conversation-id' : 'malformed-client-id';
  }
  if (owner === 'nobody') return isSpare ? `unknown-${kind}` : null;
  if (owner === 'theirs') return isSpare || label === 'foreign' ? `foreign-${kind}` : null;
  if (label === 'malformed') return isPlain ? 'malformed-label-id' : null;
  return label === 'private' ? 'private-label' : label === 'unknown' ? 'unknown-label' : null;
}

function kindOf({ operation }: Case): 'conversation' | 'site' | 'client' | 'link' {
  if (operation.includes('ClientSite')) return 'link';
  if (operation === 'getClient') return 'client';
  return operation.includes('Conversation') ? 'conversation' : 'site';
}

function ofMutation({ mutation, operation }: Case, exchange: Exchange): RefusalCase | null {
  if (mutation?.id === belowId) return 'unknown-path';
  if (mutation?.id === otherMethodId) return 'wrong-method';
  if (operation === 'startSiteFileUpload') return ofBody(exchange, 'contentType');
  return operation === 'registerSiteFile' ? ofBody(exchange, 'fileKey') : null;
}

/** What is wrong with a body in which this property must be a text. */
function ofBody({ requestBody, requestHeaders, facts }: Exchange, name: 'contentType' | 'fileKey'): RefusalCase | null {
  // A large body is refused for its size, and only its beginning is kept.
  if (facts?.successRule === 'limits/below-10mb-passes') return null;
  if (!/json/i.test(requestHeaders['content-type'] ?? 'json')) return 'not-json';
  const json = jsonOrUndefined(requestBody ?? '');
  if (json === undefined) return 'malformed-json';
  if (!isObject(json)) return 'wrong-json-type';
  const value = json[name];
  if (value === undefined) return name === 'contentType' ? 'missing-content-type' : 'missing-file-key';
  if (typeof value !== 'string') return 'wrong-json-type';
  if (name === 'fileKey') return uuid.test(value) ? null : 'malformed-file-key';
  if (value === '') return 'empty-content-type';
  return Object.keys(json).length > 1 ? 'additional-property' : null;
}

/** Whether the body is `{"message": ...}`, which gateways send before the service has seen the request. */
function isGatewayBody(exchange: Exchange): boolean {
  const json = jsonOf(exchange);
  return isObject(json) && typeof json.message === 'string' && json.error === undefined;
}

/** `error.code`; undefined where there is none. */
export function errorCode(exchange: Exchange): string | undefined {
  const json = jsonOf(exchange);
  const error = isObject(json) && isObject(json.error) ? json.error : {};
  return typeof error.code === 'string' && error.code !== '' ? error.code : undefined;
}

/** A refusal as part of the profile. */
export function patchOf(refusal: RefusalCase, exchange: Exchange): ProfilePatch | undefined {
  const { status } = exchange;
  const code = errorCode(exchange);
  const body = isGatewayBody(exchange) ? 'message' : 'error';
  return status !== null && status >= 400
    ? { errors: { [refusal]: { status, ...(code !== undefined && { code }), body } } }
    : undefined;
}

/** A reply in a few words: `404 NOT_FOUND`. */
export function wordsOf(exchange: Exchange): string {
  const { operation, body, status } = exchange;
  return [status, operation === 'storage' ? storageReason(body ?? '') : (errorCode(exchange) ?? [])].flat().join(' ');
}

const statuses: Readonly<Partial<Record<RuleId, Readonly<Partial<Record<RefusalCase, readonly number[]>>>>>> = {
  'errors/invalid-request-is-400': {
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
  },
  'errors/unknown-is-404': {
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
  },
  'errors/routing': { 'unknown-path': [404], 'wrong-method': [405], 'not-json': [415] },
};

const ofStatuses = Object.entries(statuses).map(([rule, expected]): Question => {
  const expectedOf = (asked: Case, exchange: Exchange) => {
    const refusal = refusalCaseOf(asked, exchange);
    return refusal === null || expected[refusal] === undefined ? null : { refusal, right: expected[refusal] };
  };
  return {
    rule: rule as RuleId,
    applies: (asked, exchange, { isThere }) =>
      expectedOf(asked, exchange) !== null && (asked.isElsewhere || isThere(asked.operation)),
    answer(asked, exchange): Answer | readonly Answer[] {
      const one = expectedOf(asked, exchange);
      if (one === null) return [];
      const { refusal, right } = one;
      const expectedWords = `${right.join(' or ')} for ${refusal.replaceAll('-', ' ')}`;
      return {
        topic: refusal,
        words: wordsOf(exchange),
        ...(!right.includes(exchange.status ?? 0) && {
          differs: { expected: expectedWords, observed: wordsOf(exchange) },
        }),
        profile: patchOf(refusal, exchange),
      };
    },
  };
});

const callers: readonly (RefusalCase | null)[] = [...Object.values(ofCallers), 'missing-scope'];

/** The questions about refusals. */
export const refusalQuestions: readonly Question[] = [
  ...ofStatuses,
  {
    rule: 'errors/routing',
    applies: ({ mutation }, { status }) => mutation?.id === otherMethodId && status === 405,
    answer: (_, { headers }) => ({
      topic: 'Allow beside 405',
      words: headers.allow === undefined ? 'none' : 'there',
      ...(headers.allow === undefined && {
        differs: { expected: 'an Allow header beside 405', observed: 'none' },
      }),
    }),
  },
  {
    rule: 'ids/malformed-is-refused',
    applies: (asked, exchange) => /^malformed-.*-id$/.test(refusalCaseOf(asked, exchange) ?? ''),
    answer: (asked, exchange) => ({
      topic: refusalCaseOf(asked, exchange) ?? '',
      words: wordsOf(exchange),
      ...(!refused(exchange) && {
        differs: { expected: 'a refusal of an id of another form', observed: wordsOf(exchange) },
      }),
    }),
  },
  {
    rule: 'auth/forbidden-has-the-error-body',
    applies: (asked, exchange) =>
      !asked.isElsewhere && exchange.status === 403 && callers.includes(refusalCaseOf(asked, exchange)),
    answer: (asked, exchange) => {
      const refusal = refusalCaseOf(asked, exchange);
      return refusal === null ? [] : { topic: refusal, profile: patchOf(refusal, exchange) };
    },
  },
  {
    rule: 'auth/key-in-other-case',
    applies: ({ caller, isElsewhere }) => caller === 'other-case' && !isElsewhere,
    answer: (_, exchange) => ({
      topic: 'a key in the other letter case',
      words: refused(exchange) ? 'refused' : 'recognised',
      ...(!refused(exchange) && {
        differs: { expected: 'a refusal of a key in the other letter case', observed: wordsOf(exchange) },
      }),
    }),
  },
];
