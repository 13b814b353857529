import { expect, it } from 'vitest';
import openapi from '../../spec/generated/openapi.json' with { type: 'json' };
import { deployedOpenapi } from './contract.ts';

it('is the contract itself without a profile, and equal with a profile that changes nothing', () => {
  expect(deployedOpenapi(openapi, undefined)).toBe(openapi);
  expect(deployedOpenapi(openapi, {})).toEqual(openapi);
});

it('has the methods, paths, parameters, scopes and statuses of the profile', () => {
  const { paths } = deployedOpenapi<{ paths: Record<string, Record<string, unknown>> }>(openapi, {
    operations: {
      applySiteLabel: { method: 'POST', path: '/v2/site/{id}/labels/{labelId}', scopes: ['label:write'], status: 204 },
      removeSiteLabel: null,
    },
  });
  const usual = openapi.paths['/v1/site/{id}/label/{labelId}'];
  expect(paths).not.toHaveProperty(['/v1/site/{id}/label/{labelId}']);
  const moved = paths['/v2/site/{id}/labels/{labelId}'];
  expect(Object.keys(moved ?? {}).sort()).toEqual(['parameters', 'post']);
  expect(moved?.parameters).toEqual(usual.parameters);
  expect(moved?.post).toMatchObject({
    operationId: 'applySiteLabel',
    security: [{ apiKey: ['label:write'] }],
    'x-scopes': ['label:write'],
    responses: { 204: usual.put.responses['200'] },
  });
  expect(moved?.post).not.toHaveProperty(['responses', '200']);
});
