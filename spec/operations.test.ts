import { describe, expect, test } from 'vitest';
import { isOperationId, operationList, operations, scopes } from './operations.ts';

const d = 'documented';
const r = 'reference';
const a = 'assumed';

// Typed out from the table of decisions, not derived from openapi.yaml: the provenances are of method, path, scopes, body.
const decided = [
  ['getHealth', 'GET', '/v1/health', [], 200, d, d, r, r],
  ['listLabels', 'GET', '/v1/labels', [], 200, d, d, a, a],
  ['getConversation', 'GET', '/v1/conversation/{id}', ['conversation:read'], 200, d, d, r, a],
  ['getConversationContext', 'GET', '/v1/conversation/{id}/context', ['conversation:read'], 200, d, d, d, d],
  ['applyConversationLabel', 'PUT', '/v1/conversation/{id}/label/{labelId}', ['conversation:write'], 200, a, a, d, a],
  [
    'removeConversationLabel',
    'DELETE',
    '/v1/conversation/{id}/label/{labelId}',
    ['conversation:write'],
    200,
    a,
    a,
    d,
    a,
  ],
  ['applySiteLabel', 'PUT', '/v1/site/{id}/label/{labelId}', ['site:write'], 200, d, a, a, d],
  ['removeSiteLabel', 'DELETE', '/v1/site/{id}/label/{labelId}', ['site:write'], 200, a, a, a, a],
  [
    'applyClientSiteLabel',
    'PUT',
    '/v1/client/{clientId}/site/{siteId}/label/{labelId}',
    ['client:write', 'site:write'],
    200,
    a,
    a,
    a,
    a,
  ],
  [
    'removeClientSiteLabel',
    'DELETE',
    '/v1/client/{clientId}/site/{siteId}/label/{labelId}',
    ['client:write', 'site:write'],
    200,
    a,
    a,
    d,
    a,
  ],
  ['startSiteFileUpload', 'POST', '/v1/site/{id}/file/upload-url', ['siteFile:write'], 201, d, d, d, d],
  ['registerSiteFile', 'POST', '/v1/site/{id}/file', ['siteFile:write'], 201, d, d, a, a],
  ['getSite', 'GET', '/v1/site/{id}', ['site:read'], 200, r, r, r, r],
  ['getClient', 'GET', '/v1/client/{id}', ['client:read'], 200, r, r, r, r],
] as const;

describe('operations', () => {
  test.each(decided)('%s is %s %s', (id, method, path, needed, success, ofMethod, ofPath, ofScopes, ofBody) => {
    expect(operations[id]).toMatchObject({ id, method, path, scopes: needed, success });
    expect(operations[id].provenance).toMatchObject({ method: ofMethod, path: ofPath, scopes: ofScopes, body: ofBody });
    expect(operations[id].pathParameters).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(operations[id].hasBody).toBe(method === 'POST');
  });

  test('declare the statuses that can reach them, each with its provenance', () => {
    for (const { id, statuses, success, pathParameters, hasBody, provenance } of operationList) {
      const expected = [success, 400, 401, 403, 413, 429, 500, 503];
      if (pathParameters.length > 0) expected.push(404, 422);
      if (hasBody) expected.push(415);
      if (id === 'registerSiteFile') expected.push(409);
      expect(statuses, id).toEqual(expected.sort());
      expect(Object.keys(provenance.statuses).map(Number), id).toEqual(statuses);
      expect(provenance.success, id).toBe(provenance.statuses[success]);
    }
  });

  test('have only 403, 429 and 503 documented, except the upload, whose statuses the specification lists', () => {
    const upload = [201, 400, 401, 403, 404, 422, 429, 500, 503];
    for (const { id, provenance, statuses } of operationList) {
      const documented = statuses.filter((status) => provenance.statuses[status] === 'documented');
      expect(documented, id).toEqual(id === 'startSiteFileUpload' ? upload : [403, 429, 503]);
    }
  });

  test('come with the eight scopes, user:read among them though no operation needs it', () => {
    expect([...scopes].sort()).toEqual([
      'client:read',
      'client:write',
      'conversation:read',
      'conversation:write',
      'site:read',
      'site:write',
      'siteFile:write',
      'user:read',
    ]);
  });
});

test('property names of every object are no ids of operations', () => {
  expect(isOperationId('getSite')).toBe(true);
  expect(isOperationId('toString')).toBe(false);
});
