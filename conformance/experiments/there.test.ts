import { expect, it } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import type { Exchange } from '../history/exchange.ts';
import { deploymentOf } from '../target/deployment.ts';
import { nothingThere, operationsIn } from './there.ts';

const key = { name: 'full', secret: 'acme-secret', scopes: ['conversation:read', 'conversation:write'] };
const deployment = deploymentOf(
  parseTarget({ baseUrl: 'http://127.0.0.1', tenants: [{ name: 'acme', keys: [key] }] }, {}, 'test'),
);

const bodyOf = (message?: string) => (message ? JSON.stringify({ error: { code: 'not_found', message } }) : 'nothing');

/** Whether a removal that is answered with the first status is there, if a path below it is answered with the second. */
function isThere(status: number | null, below: number, message?: string): boolean {
  const operation = 'removeSiteLabel';
  const exchanges = [
    { operation, key: 'acme/full', status, body: bodyOf(message), facts: { operation, mutation: null } },
    {
      ...{ operation: null, key: 'acme/full', status: below, body: bodyOf('nothing at /v1/y/x') },
      facts: { operation, mutation: { id: nothingThere } },
    },
  ];
  return operationsIn(exchanges as unknown as Exchange[], deployment)(operation);
}

it('takes an answer for that of the operation only if no router would give it', () => {
  expect(isThere(200, 404)).toBe(true);
  expect(isThere(403, 404)).toBe(true);
  expect(isThere(404, 404, 'no such label')).toBe(true);
  expect(isThere(404, 404, 'nothing at /v1/y')).toBe(false);
  for (const [status, below] of [
    [405, 404],
    [503, 404],
    [null, 404],
  ] as const)
    expect(isThere(status, below)).toBe(false);
});
