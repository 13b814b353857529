import { describe, expect, test } from 'vitest';
import { requestValidators } from './generated/request-validators.js';
import { type OperationId, operationIds } from './operations.ts';
import { problemsOf } from './validation-problem.ts';

const requestProblems = (id: OperationId, part: 'path' | 'body', data: unknown) =>
  problemsOf(requestValidators[id][part], part, data);

const uuid = '5f0c2a8e-6d1b-4c37-9a4e-2b7d8c1f3e60';

describe('path parameters', () => {
  test.each([
    ['getHealth', {}],
    ['getConversation', { id: uuid }],
    ['getConversation', { id: uuid.toUpperCase() }],
    ['getSite', { id: '10042' }],
    ['getSite', { id: `ovaid-${uuid}` }],
    ['getClient', { id: `ovcid-${uuid}` }],
    ['getClient', { id: 'ovcid-' }],
    ['applyClientSiteLabel', { clientId: 'ovcid-1', siteId: '7', labelId: uuid }],
  ] as const)('%s takes %o', (id, params) => {
    expect(requestProblems(id, 'path', params)).toBeNull();
  });

  const notUuid = [
    '',
    'x',
    `urn:uuid:${uuid}`,
    `{${uuid}}`,
    uuid.replaceAll('-', ''),
    `${uuid}0`,
    `${uuid}\n`,
    ` ${uuid}`,
  ];
  test.each(notUuid)('refuses the label id "%s"', (labelId) => {
    expect(requestProblems('applySiteLabel', 'path', { id: '1', labelId })).toEqual([
      { field: 'path.labelId', keyword: 'format', message: 'path.labelId must be a UUID' },
    ]);
  });

  test('refuses a client id of another form, an empty site id and a missing parameter', () => {
    expect(
      requestProblems('removeClientSiteLabel', 'path', { clientId: 'x-ovcid-1', siteId: '7', labelId: uuid }),
    ).toEqual([
      { field: 'path.clientId', keyword: 'pattern', message: 'path.clientId must match the pattern ^ovcid-.*$' },
    ]);
    expect(requestProblems('getSite', 'path', { id: '' })).toEqual([
      { field: 'path.id', keyword: 'minLength', message: 'path.id must not be empty' },
    ]);
    expect(requestProblems('getSite', 'path', {})).toEqual([
      { field: 'path.id', keyword: 'required', message: 'path.id is required' },
    ]);
  });

  test('checks the conversation id of every conversation operation', () => {
    const ids = operationIds.filter((id) => /Conversation/.test(id));
    expect(ids).toHaveLength(4);
    for (const id of ids) {
      expect(requestProblems(id, 'path', { id: 'CNV-1', labelId: uuid }), id).toMatchObject([{ field: 'path.id' }]);
    }
  });
});

describe('a body', () => {
  test.each([
    [{ contentType: 'image/png' }, null],
    [{ contentType: '' }, 'body.contentType must not be empty'],
    [{}, 'body.contentType is required'],
    [{ contentType: 7 }, 'body.contentType must be a string'],
    [{ contentType: null }, 'body.contentType must be a string'],
    [{ contentType: 'image/png', extra: 1 }, 'body.extra is not allowed'],
    [JSON.parse('{"contentType":"image/png","__proto__":1}'), 'body.__proto__ is not allowed'],
    [{ contentType: 'image/png', 'a/b~1c': 1 }, 'body.a/b~1c is not allowed'],
    [[], 'body must be an object'],
    ['text', 'body must be an object'],
    [null, 'body must be an object'],
    [undefined, 'body must be an object'],
  ])('of an upload, %j: %s', (body, message) => {
    expect(requestProblems('startSiteFileUpload', 'body', body)?.map((problem) => problem.message) ?? null).toEqual(
      message && [message],
    );
  });

  test('names the rule that an upload breaks by the keyword', () => {
    const keywordOf = (body: unknown) => requestProblems('startSiteFileUpload', 'body', body)?.[0]?.keyword;
    expect(keywordOf({})).toBe('required');
    expect(keywordOf({ contentType: '' })).toBe('minLength');
    expect(keywordOf({ contentType: 7 })).toBe('type');
    expect(keywordOf({ contentType: 'a/b', extra: 1 })).toBe('additionalProperties');
  });

  test('of a registration may have other fields', () => {
    expect(requestProblems('registerSiteFile', 'body', { fileKey: uuid, name: 'a.png', folder: 'x' })).toBeNull();
    expect(requestProblems('registerSiteFile', 'body', { fileKey: uuid })).toBeNull();
    expect(requestProblems('registerSiteFile', 'body', { fileKey: 'a' })).toMatchObject([{ field: 'body.fileKey' }]);
    expect(requestProblems('registerSiteFile', 'body', { fileKey: uuid, name: 1 })).toMatchObject([
      { field: 'body.name' },
    ]);
  });

  test('does not echo a field name of any length', () => {
    const problems = requestProblems('startSiteFileUpload', 'body', { contentType: 'a/b', ['x'.repeat(1e6)]: 1 });
    expect(problems?.[0]?.message.length).toBeLessThan(200);
  });

  test('is not looked at where the operation has none', () => {
    expect(requestProblems('applySiteLabel', 'body', [1, 2])).toBeNull();
  });
});
