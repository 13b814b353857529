import { expect, it } from 'vitest';
import { operationIds } from '../../../spec/operations.ts';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { defaultSeeds } from '../../seed/generated/tenants.ts';
import { defects } from '../defects.ts';
import { fuzz } from './fuzz.ts';
import { createWorld } from './world.ts';

it('generated requests: no 5xx, every reply keeps the contract, nothing leaks, the store stays consistent', async () => {
  const world = await createWorld(defaultSeeds);
  tally({ inputs: await fuzz(world, { seeds: defaultSeeds, requests: 10_000, seed: 1 }) });

  // It was not the door alone that was tried.
  const ends = [...world.seen.keys()];
  const succeeded = (id: string) => ends.some((end) => end === `${id} 200` || end === `${id} 201`);
  expect([...operationIds, 'storage'].filter((id) => !succeeded(id))).toEqual([]);
  const refused = new Set(ends.map((end) => Number(end.split(' ')[1])));
  expect([400, 403, 404, 405, 409, 413, 415, 422, 429].filter((status) => !refused.has(status))).toEqual([]);
});

it.each([
  ['finds conversations of every tenant', /shows .* of (acme|globex)/],
  ['labels the site of the same id in every tenant', /changed \w+, which did not ask/],
  ['refuses to label a foreign conversation, and labels it', /refused, and changed/],
  ['shows the record of another tenant in its refusal', /shows .* of (acme|globex)/],
  ['shows private labels in a context', /shows internal-risk of nobody to see/],
  ['leaves siteId out of the label set of a site', /against the contract: .*siteId/],
  ['answers 500 where contentType is missing', /a 5xx that was not asked for/],
] as const)('finds what is wrong with a mock that %s', async (name, what) => {
  const world = await createWorld(defaultSeeds, defects[name]);
  const found = await fuzz(world, { seeds: defaultSeeds, requests: 10_000, seed: 1 }).catch((error: Error) => error);
  expect(found).toMatchObject({ cause: { message: expect.stringMatching(what) } });
});
