/** How a deployment refuses, case by case. */
import type { RefusalCase } from '../../../spec/refusals.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { storageReason } from '../../../spec/text/storage-reason.ts';
import { uuid } from '../../../spec/text/uuid.ts';
import type { Case } from '../../contract/case.ts';
import { belowId, otherMethodId } from '../../contract/request.ts';
import { type Exchange, isObject, objectIn, refused } from '../../history/exchange.ts';
import type { ProfilePatch } from '../../profile.ts';
import { subjectOf } from '../../target/holder.ts';
import type { Question } from './index.ts';

const ofCallers: Readonly<Partial<Record<Case['caller'], RefusalCase>>> = {
  none: 'no-key',
  bearer: 'bearer-only',
  unknown: 'unknown-key',
  revoked: 'revoked-key',
};

/** The only problem of a request; null where there is none, or several. */
function refusalCaseOf(asked: Case, exchange: Exchange): RefusalCase | null {
  const { caller, lacks, owner, label, mutation, operation } = asked;
  const isSpare = label === null || label === 'spare';
  const isPlainOtherwise = (owner === null || owner === 'ours') && isSpare;
  if (caller !== 'valid' || lacks === 'named') {
    const ofKey = ofCallers[caller] ?? (lacks === 'named' ? 'missing-scope' : null);
    return mutation === null && isPlainOtherwise ? ofKey : null;
  }
  if (lacks !== 'none') return null;
  if (mutation !== null) return isPlainOtherwise ? ofMutation(asked, exchange) : null;
  const kind = subjectOf(operation) ?? 'site';
  // A server in front may answer an id of odd letters.
  const isReadable = Object.values(exchange.params).every((id) => /^[\w-]+$/.test(id));
  if (owner === 'malformed') {
    const { clientId, id = clientId ?? '' } = exchange.params;
    if (!isReadable || kind === 'site' || (kind !== 'conversation' && id.startsWith('ovcid-'))) return null;
    return kind === 'conversation' ? 'malformed-conversation-id' : 'malformed-client-id';
  }
  if (owner === 'nobody') return isSpare ? `unknown-${kind}` : null;
  if (owner === 'theirs') return isSpare || label === 'foreign' ? `foreign-${kind}` : null;
  if (label === 'malformed') return isReadable ? 'malformed-label-id' : null;
  return label === 'private' ? 'private-label' : label === 'unknown' ? 'unknown-label' : null;
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

/** `error.code`; undefined where there is none. */
export function errorCode(exchange: Exchange): string | undefined {
  const { error } = objectIn(exchange);
  return isObject(error) && typeof error.code === 'string' && error.code !== '' ? error.code : undefined;
}

/** Status and code of a refusal, for a profile. */
export function refusalIn(exchange: Exchange): { readonly status: number; readonly code?: string } {
  const code = errorCode(exchange);
  return { status: exchange.status ?? 0, ...(code !== undefined && { code }) };
}

/** A refusal as part of the profile. Gateways send `{"message": ...}` before the service has seen the request. */
export function patchOf(refusal: RefusalCase, exchange: Exchange): ProfilePatch | undefined {
  const { message, error } = objectIn(exchange);
  const body = typeof message === 'string' && error === undefined ? 'message' : 'error';
  return (exchange.status ?? 0) >= 400 ? { errors: { [refusal]: { ...refusalIn(exchange), body } } } : undefined;
}

/** A reply in a few words: `404 NOT_FOUND`. */
export function wordsOf(exchange: Exchange): string {
  const { operation, body, status } = exchange;
  return [status, operation === 'storage' ? storageReason(body ?? '') : (errorCode(exchange) ?? [])].flat().join(' ');
}

const malformedIds = ['malformed-conversation-id', 'malformed-client-id', 'malformed-label-id'] as const;

/** The rules that say how a case is refused. */
const rulesOfCases: readonly (readonly [RuleId, readonly RefusalCase[]])[] = [
  [
    'errors/invalid-request-is-400',
    [
      ...(['malformed-json', 'wrong-json-type', 'missing-content-type', 'empty-content-type'] as const),
      ...(['additional-property', 'missing-file-key', 'malformed-file-key'] as const),
      ...malformedIds,
    ],
  ],
  [
    'errors/unknown-is-404',
    [
      ...(['unknown-conversation', 'unknown-site', 'unknown-client', 'unknown-link', 'unknown-label'] as const),
      ...(['private-label', 'foreign-conversation', 'foreign-site', 'foreign-client', 'foreign-link'] as const),
    ],
  ],
  ['errors/routing', ['unknown-path', 'wrong-method', 'not-json']],
];

const ofKeys: readonly (RefusalCase | null)[] = [...Object.values(ofCallers), 'missing-scope'];

/** The questions about refusals. */
export const refusalQuestions: readonly Question[] = [
  ...rulesOfCases.map(
    ([rule, cases]): Question => [
      rule,
      (asked, exchange, { isThere }) => {
        const refusal = refusalCaseOf(asked, exchange);
        if (refusal === null || !cases.includes(refusal)) return null;
        if (!asked.isElsewhere && !isThere(asked.operation)) return null;
        return { topic: refusal, words: wordsOf(exchange), profile: patchOf(refusal, exchange) };
      },
    ],
  ),
  [
    'ids/malformed-is-refused',
    (asked, exchange) => {
      const topic = malformedIds.find((one) => one === refusalCaseOf(asked, exchange));
      const expected = !refused(exchange) && 'a refusal of an id of another form';
      return topic === undefined ? null : { topic, words: wordsOf(exchange), expected };
    },
  ],
  [
    'auth/forbidden-has-the-error-body',
    (asked, exchange) => {
      const refusal = refusalCaseOf(asked, exchange);
      const isOfKey = refusal !== null && ofKeys.includes(refusal) && !asked.isElsewhere && exchange.status === 403;
      return isOfKey ? { topic: refusal, profile: patchOf(refusal, exchange) } : null;
    },
  ],
  [
    'auth/key-in-other-case',
    ({ caller, isElsewhere }, exchange) =>
      caller === 'other-case' && !isElsewhere
        ? { topic: 'a key in the other letter case', words: refused(exchange) ? 'refused' : 'recognised' }
        : null,
  ],
];
