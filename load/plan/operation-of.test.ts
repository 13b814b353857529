import { expect, test } from 'vitest';
import { operations } from '../../spec/operations.ts';
import { operationOf } from './operation-of.ts';

test('takes an operation from the contract, unless the target file says otherwise', () => {
  const { method, path, scopes } = operations.listLabels;
  expect(operationOf({ operations: {} }, 'listLabels')).toEqual({ id: 'listLabels', method, path, scopes });
  expect(
    operationOf({ operations: { listLabels: { path: '/v2/tags', scopes: ['site:read'] } } }, 'listLabels'),
  ).toEqual({ id: 'listLabels', method, path: '/v2/tags', scopes: ['site:read'] });
  expect(operationOf({ operations: { listLabels: null } }, 'listLabels')).toBeUndefined();
});
