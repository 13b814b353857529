import type { RuleId } from '../../spec/rules.ts';
import type { Trace } from '../trace.ts';

/** The rule of the contract that each refusal follows. */
const rules: Readonly<Record<NonNullable<Trace['refused']>, RuleId | null>> = {
  'no-key': 'auth/no-key-is-403',
  'unknown-key': 'auth/unknown-key-is-403',
  'revoked-key': 'auth/revoked-key-is-403',
  'bearer-only': 'auth/bearer-is-not-supported',
  throttled: 'limiter/over-the-rate-is-429',
  'too-large': 'limits/too-large-is-413',
  'unknown-path': 'errors/routing',
  'wrong-method': 'errors/routing',
  'malformed-path': 'ids/malformed-is-refused',
  'incomplete-body': 'errors/invalid-request-is-400',
  'missing-scope': 'scopes/missing-scope-is-403',
  'not-json': 'transport/json-both-ways',
  'malformed-json': 'errors/invalid-request-is-400',
  'wrong-json-type': 'errors/invalid-request-is-400',
  'missing-content-type': 'upload/content-type-is-required',
  'empty-content-type': 'upload/content-type-is-required',
  'additional-property': 'upload/no-additional-properties',
  'missing-file-key': 'upload/register-takes-file-key',
  'malformed-file-key': 'upload/register-takes-file-key',
  'malformed-label-id': 'ids/malformed-is-refused',
  'malformed-conversation-id': 'ids/malformed-is-refused',
  'malformed-client-id': 'ids/malformed-is-refused',
  'unknown-conversation': 'errors/unknown-is-404',
  'unknown-site': 'errors/unknown-is-404',
  'unknown-client': 'errors/unknown-is-404',
  'unknown-link': 'errors/unknown-is-404',
  'unknown-label': 'errors/unknown-is-404',
  'unknown-file-key': 'errors/unknown-is-404',
  'foreign-conversation': 'isolation/reads-stay-in-tenant',
  'foreign-site': 'isolation/reads-stay-in-tenant',
  'foreign-client': 'isolation/reads-stay-in-tenant',
  'foreign-link': 'isolation/reads-stay-in-tenant',
  'foreign-label': 'isolation/writes-stay-in-tenant',
  'private-label': 'labels/private-cannot-be-applied',
  'foreign-file-key': 'isolation/writes-stay-in-tenant',
  'register-before-put': 'upload/register-before-put-is-422',
  'register-twice': 'upload/register-twice-is-409',
  'internal-error': 'errors/internal-error',
  fault: null,
  preferred: null,
};

export const ruleOfRefusal = (refused: Trace['refused']): RuleId | null =>
  refused === null ? null : (rules[refused] ?? null);
