import { describe, expect, it } from 'vitest';
import { type Check, checks } from '../../spec/checks.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { rules } from '../../spec/rules.ts';
import { createMock } from '../create-mock.ts';
import { keepDocumentedRules } from './keep-documented-rules.ts';

/** These checks come first. */
const ordered = (...first: Check[]) => [...first, ...checks.filter((name) => !first.includes(name))];

const conflicts: readonly (readonly [Profile, string, string])[] = [
  [{ errors: { 'no-key': { status: 401 } } }, 'errors.no-key.status', 'auth/no-key-is-403'],
  [{ errors: { 'unknown-key': { status: 401 } } }, 'errors.unknown-key.status', 'auth/unknown-key-is-403'],
  [{ errors: { 'revoked-key': { status: 404 } } }, 'errors.revoked-key.status', 'auth/revoked-key-is-403'],
  [{ errors: { 'bearer-only': { status: 401 } } }, 'errors.bearer-only.status', 'auth/bearer-is-not-supported'],
  [{ errors: { 'missing-scope': { status: 404 } } }, 'errors.missing-scope.status', 'scopes/missing-scope-is-403'],
  [
    { errors: { 'empty-content-type': { status: 409 } } },
    'errors.empty-content-type.status',
    'upload/content-type-is-required',
  ],
  [
    { errors: { 'missing-content-type': { status: 500 } } },
    'errors.missing-content-type.status',
    'upload/content-type-is-required',
  ],
  [
    { errors: { 'wrong-json-type': { status: 404 } } },
    'errors.wrong-json-type.status',
    'upload/content-type-is-required',
  ],
  [
    { errors: { 'additional-property': { status: 403 } } },
    'errors.additional-property.status',
    'upload/no-additional-properties',
  ],
  [
    { errors: { 'malformed-json': { status: 409 } } },
    'errors.malformed-json.status',
    'errors/upload-statuses-are-declared',
  ],
  [{ errors: { 'unknown-link': { status: 429 } } }, 'errors.unknown-link.status', 'limiter/429-body-is-one-message'],
  [{ errors: { 'unknown-site': { status: 404, body: 'message' } } }, 'errors.unknown-site.body', 'errors/body'],
  [{ upload: { registerTwice: { status: 409, body: 'message' } } }, 'upload.registerTwice.body', 'errors/body'],
  [{ upload: { registerStatus: 204 } }, 'upload.registerStatus', 'transport/json-both-ways'],
  [{ upload: { registerBeforePut: { status: 204 } } }, 'upload.registerBeforePut.status', 'transport/json-both-ways'],
  [
    { bodies: { getConversationContext: { in: 'data' } } },
    'bodies.getConversationContext.in',
    'context/get-answers-context',
  ],
  [{ bodies: { startSiteFileUpload: { omit: ['fileKey'] } } }, 'bodies.startSiteFileUpload', 'upload/start-is-201'],
  [{ bodies: { applySiteLabel: { replace: { labels: 1 } } } }, 'bodies.applySiteLabel', 'labels/site-label-set'],
  [{ errorBody: { omit: ['error.code'] } }, 'errorBody', 'errors/body'],
  [{ headers: { 'content-type': 'text/plain' } }, 'headers.content-type', 'transport/json-both-ways'],
  [{ operations: { getSite: { status: 204 } } }, 'operations.getSite.status', 'transport/json-both-ways'],
  [{ operations: { getSite: { path: '/v2/site/{id}' } } }, 'operations.getSite.path', 'versioning/v1-prefix'],
  [
    { operations: { listLabels: { path: '/v1/tags' } } },
    'operations.listLabels.path',
    'labels/listing-gives-public-labels',
  ],
  [{ operations: { applySiteLabel: { method: 'POST' } } }, 'operations.applySiteLabel.method', 'labels/site-apply'],
  [
    { operations: { startSiteFileUpload: { status: 200 } } },
    'operations.startSiteFileUpload.status',
    'upload/start-is-201',
  ],
  [
    { operations: { removeClientSiteLabel: { scopes: ['client:write'] } } },
    'operations.removeClientSiteLabel.scopes',
    'scopes/named-scopes-suffice',
  ],
  [{ operations: { registerSiteFile: null } }, 'operations.registerSiteFile', 'upload/register-takes-file-key'],
  [{ order: ordered('body', 'rate') }, 'order', 'limiter/429-comes-before-the-handler'],
  [{ order: ordered('rate', 'body', 'size') }, 'order', 'limits/above-10mb-is-refused'],
  [{ permits: { applySiteLabel: ['private-label'] } }, 'permits.applySiteLabel', 'labels/private-cannot-be-applied'],
  [{ limits: { bodyBytes: 5_000_000 } }, 'limits.bodyBytes', 'limits/below-10mb-passes'],
  [{ limits: { bodyBytes: 11_000_000 } }, 'limits.bodyBytes', 'limits/above-10mb-is-refused'],
];

describe('a profile that would break a documented rule', () => {
  it.each(conflicts)('%j is refused: %s, rule %s', (profile, place, rule) => {
    expect(() => keepDocumentedRules(profile, 'acme.yaml')).toThrow(ConfigurationError);
    expect(() => keepDocumentedRules(profile, 'acme.yaml')).toThrow(`acme.yaml: ${place}: `);
    expect(() => keepDocumentedRules(profile, 'acme.yaml')).toThrow(`(rule ${rule})`);
    expect(rules.find(({ id }) => id === rule)).toMatchObject({ level: 'must', provenance: 'documented' });
  });

  it('is refused by createMock, with one line for each conflict', async () => {
    const profile: Profile = { errors: { 'no-key': { status: 401 }, 'unknown-key': { status: 401 } } };
    const error = await createMock({ profile }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ problems: [expect.stringMatching(/^profile: errors\.no-key/), expect.any(String)] });
  });
});

it('a profile may restate the specification', () => {
  const profile: Profile = {
    operations: {
      listLabels: { method: 'GET', path: '/v1/labels' },
      removeClientSiteLabel: { scopes: ['site:write', 'client:write'] },
      startSiteFileUpload: { status: 201 },
    },
    errors: { 'no-key': { status: 403, body: 'message' }, 'unknown-path': { status: 403, body: 'message' } },
    limits: { bodyBytes: 10_485_760 },
    order: ordered('route', 'scope', 'rate', 'size', 'label'),
    permits: { removeSiteLabel: ['private-label', 'malformed-label-id'], startSiteFileUpload: ['not-json'] },
  };
  expect(() => keepDocumentedRules(profile, 'acme.yaml')).not.toThrow();
});
