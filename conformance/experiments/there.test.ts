import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import { answeringIn, nothingThere } from './there.ts';

const bodyOf = (message?: string) => (message ? JSON.stringify({ error: { code: 'not_found', message } }) : 'nothing');

/** Whether a removal that is answered with the first status is answered by the operation, if a path below it is answered with the second. */
function isAnswering(status: number | null, below: number, message?: string): boolean {
  const operation = 'removeSiteLabel';
  const exchanges = [
    { operation, key: 'acme/full', status, body: bodyOf(message), facts: { operation, mutation: null } },
    {
      ...{ operation: null, key: 'acme/full', status: below, body: bodyOf('nothing at /v1/y/x') },
      facts: { operation, mutation: { id: nothingThere } },
    },
  ];
  return answeringIn(exchanges as unknown as Exchange[]).has(operation);
}

it('takes an answer for that of the operation only if no router would give it', () => {
  expect(isAnswering(200, 404)).toBe(true);
  expect(isAnswering(403, 404)).toBe(true);
  expect(isAnswering(404, 404, 'no such label')).toBe(true);
  expect(isAnswering(404, 404, 'nothing at /v1/y')).toBe(false);
  for (const [status, below] of [
    [405, 404],
    [503, 404],
    [null, 404],
  ] as const)
    expect(isAnswering(status, below)).toBe(false);
});
