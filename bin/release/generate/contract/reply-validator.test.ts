import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type OperationId, operationIds, operations } from '../../../../spec/operations.ts';
import { validateReply } from '../../../../spec/reply-validator.ts';
import { operationsOf, readContract } from './contract.ts';

const json = { 'Content-Type': 'application/json; charset=utf-8' };
const error = { error: { code: 'NOT_FOUND', message: 'Site not found' } };
const uuid = '5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60';

const contract = operationsOf(
  readContract(await readFile(new URL('../../../../spec/openapi.yaml', import.meta.url), 'utf8')),
);

function exampleOf(id: OperationId): unknown {
  const responses = contract.find(({ operationId }) => operationId === id)?.responses;
  return responses?.[operations[id].success]?.content['application/json'].examples?.typical.value;
}

function fields(...reply: Parameters<typeof validateReply>): string[] {
  return validateReply(...reply).map(({ field }) => field);
}

describe('validateReply', () => {
  test('passes the example of every success reply in the contract', () => {
    for (const id of operationIds) {
      const { success } = operations[id];
      expect(validateReply(id, success, exampleOf(id), json), id).toEqual([]);
    }
  });

  test('refuses a status that is not declared and names those that are', () => {
    expect(validateReply('getHealth', 418, error)).toEqual([
      {
        field: 'status',
        keyword: 'status',
        message: 'status 418 is not declared for getHealth; declared are 200, 400, 401, 403, 413, 429, 500, 503',
      },
    ]);
    expect(fields('getSite', 204, undefined)).toEqual(['status']);
  });

  test('requires the error body of every error except 429', () => {
    for (const id of operationIds) {
      for (const status of operations[id].statuses.filter((declared) => declared >= 400 && declared !== 429)) {
        expect(fields(id, status, error), `${id} ${status}`).toEqual([]);
        expect(fields(id, status, { message: 'Forbidden' }), `${id} ${status}`).toEqual(['body.error']);
      }
    }
    expect(fields('getSite', 404, { error: { code: 4 } })).toEqual(['body.error.message', 'body.error.code']);
  });

  test('requires Retry-After and exactly one message of a 429', () => {
    const body = { message: 'Too Many Requests' };
    for (const id of operationIds) {
      expect(fields(id, 429, body, { ...json, 'Retry-After': '1' }), id).toEqual([]);
      expect(fields(id, 429, body, json), id).toEqual(['header.retry-after']);
      expect(fields(id, 429, error, { ...json, 'retry-after': '30' }), id).toEqual(['body.message', 'body.error']);
    }
    expect(fields('getSite', 429, { ...body, code: 1 })).toEqual(['body.code']);
  });

  test.each(['0', '1.5', '-1', '', 'soon', '0x5', 'Wed, 21 Oct 2026 07:28:00 GMT'])(
    'refuses Retry-After: %s',
    (value) => {
      const headers = { ...json, 'retry-after': value };
      expect(fields('getSite', 429, { message: 'Too Many Requests' }, headers)).toEqual(['header.retry-after']);
    },
  );

  test('judges the media type when headers are given', () => {
    expect(fields('getHealth', 200, { status: 'ok' })).toEqual([]);
    expect(fields('getHealth', 200, { status: 'ok' }, {})).toEqual(['header.content-type']);
    expect(fields('getHealth', 200, { status: 'ok' }, { 'content-type': 'text/html' })).toEqual([
      'header.content-type',
    ]);
  });

  test('accepts a context with missing or additional fields, but not with a field of another type', () => {
    expect(fields('getConversationContext', 200, {})).toEqual([]);
    expect(fields('getConversationContext', 200, { later: true, messages: [{ later: 1 }] })).toEqual([]);
    expect(
      fields('getConversationContext', 200, {
        subject: 1,
        messages: [{ isInternal: 'no', attachments: [{ title: 2 }] }],
        labels: [{}],
        participants: { agents: [1], clients: [{ name: 3 }] },
        sites: [{ associatedConversations: [{ issue: null }] }],
      }),
    ).toEqual([
      'body.subject',
      'body.messages[0].isInternal',
      'body.messages[0].attachments[0].title',
      'body.labels[0]',
      'body.participants.agents[0]',
      'body.participants.clients[0].name',
      'body.sites[0].associatedConversations[0].issue',
    ]);
  });

  test('requires an id and a name of each label, and the ids of each holder', () => {
    const labels = [{ id: uuid, name: 'a' }, { id: 'b' }];
    const wrong = ['body.labels[1].name', 'body.labels[1].id'];
    expect(fields('listLabels', 200, { labels })).toEqual(wrong);
    expect(fields('removeSiteLabel', 200, { siteId: '1', labels })).toEqual(wrong);
    expect(fields('applySiteLabel', 200, { labels: [] })).toEqual(['body.siteId']);
    expect(fields('applyConversationLabel', 200, { labels: [] })).toEqual(['body.conversationId']);
    expect(fields('removeClientSiteLabel', 200, { labels: [] })).toEqual(['body.clientId', 'body.siteId']);
  });

  test('requires a time zone in the expiry of an upload URL', () => {
    const target = { fileKey: uuid, uploadUrl: 'http://127.0.0.1/x' };
    const at = (uploadUrlExpiresAt: string) => fields('startSiteFileUpload', 201, { ...target, uploadUrlExpiresAt });
    expect(at('2026-03-02T09:46:27.120Z')).toEqual([]);
    expect(at('2026-03-02T09:46:27+02:00')).toEqual([]);
    expect(at('2026-03-02T09:46:27')).toEqual(['body.uploadUrlExpiresAt']);
    expect(at('2026-02-30T09:46:27Z')).toEqual(['body.uploadUrlExpiresAt']);
  });

  test('requires every field of the clients of a site, and accepts a site with only an id', () => {
    expect(fields('getSite', 200, { id: '10042' })).toEqual([]);
    expect(fields('getSite', 200, { id: '1', clients: [{ id: 'ovcid-1', isPrimary: 1 }] })).toEqual([
      'body.clients[0].name',
      'body.clients[0].firstName',
      'body.clients[0].lastName',
      'body.clients[0].createdAt',
      'body.clients[0].isPrimary',
    ]);
  });

  test('validates replies that belong to no operation', () => {
    expect(fields(null, 405, error, { ...json, Allow: 'PUT' })).toEqual([]);
    expect(fields(null, 405, error, json)).toEqual(['header.allow']);
    expect(fields(null, 404, error, json)).toEqual([]);
    expect(fields(null, 200, {}, json)).toEqual(['status']);
  });
});
