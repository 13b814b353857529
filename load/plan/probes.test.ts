import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseTarget, type Target } from '../../spec/files/target.ts';
import { probesOf } from './probes.ts';

const file = new URL('../../fixtures/mock.target.yaml', import.meta.url);
const target = parseTarget(parse(readFileSync(file, 'utf8')), {}, 'mock.target.yaml');
const key = (scopes: Target['tenants'][number]['keys'][number]['scopes']) => ({
  name: 'any',
  secret: 'any',
  scopes,
  revoked: false,
  rateLimit: { perSecond: 10, burst: 20 },
});
const idsOf = (...parameters: Parameters<typeof probesOf>) =>
  probesOf(...parameters).map(({ operationId }) => operationId);

test('are requests that the key may send and that change nothing', () => {
  expect(idsOf(target, key([]))).toEqual(['listLabels', 'getHealth']);
  expect(idsOf(target, key(['conversation:read', 'siteFile:write', 'conversation:write']))).toEqual([
    'listLabels',
    'getHealth',
    'getConversation',
    'getConversationContext',
    'startSiteFileUpload',
  ]);
  expect(probesOf(target, key(['siteFile:write'])).at(-1)).toMatchObject({
    method: 'POST',
    body: '{"contentType":"text/plain"}',
  });
});

test('need an operation that needs a key and no scope', () => {
  expect(idsOf({ ...target, operations: { listLabels: null } }, key([]))).toEqual(['getHealth']);
  expect(() => probesOf({ ...target, operations: { listLabels: null, getHealth: null } }, key([]))).toThrow(
    'the target has neither listLabels nor getHealth; one of them is needed',
  );
});
