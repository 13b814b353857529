import { expect, it } from 'vitest';
import { operationIds } from '../../../spec/operations.ts';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { defaultSeeds } from '../../seed/generated/tenants.ts';
import { plantDefect } from '../plant-defect.ts';
import { contract } from './contract.ts';
import { fuzz } from './fuzz.ts';
import { createWorld } from './world.ts';

it('generated requests: no 5xx, every reply keeps the contract, nothing leaks, the store stays whole', async () => {
  const world = await createWorld(defaultSeeds);
  tally({ inputs: await fuzz(world, { seeds: defaultSeeds, requests: 10_000, seed: 1 }) });

  // It was not the door alone that was tried.
  const ends = [...world.seen.keys()];
  const succeeded = (id: string) => ends.some((end) => end === `${id} 200` || end === `${id} 201`);
  expect([...contract.map(({ id }) => id), 'storage'].filter((id) => !succeeded(id))).toEqual([]);
  const refused = new Set(ends.map((end) => Number(end.split(' ')[1])));
  expect([400, 403, 404, 405, 409, 413, 415, 422, 429].filter((status) => !refused.has(status))).toEqual([]);
});

it('has requests to every operation of the contract', () => {
  expect(contract.map(({ id }) => id).sort()).toEqual([...operationIds].sort());
});

it.each([
  ['isolation/any-key-labels-conversation', /shows .* of (acme|globex)/],
  ['isolation/write-lands-in-both', /changed \w+, which did not ask/],
  ['isolation/refused-but-applied-to-conversation', /refused, and changed/],
  ['isolation/refusal-shows-the-record', /shows .* of (acme|globex)/],
  ['labels/private-in-context', /shows internal-risk of nobody to see/],
  ['labels/site-set-without-site-id', /against the contract: .*siteId/],
  ['upload/missing-content-type-500', /a 5xx that was not asked for/],
])('finds the defect %s in a mock that has it', async (id, what) => {
  const world = await createWorld(defaultSeeds, plantDefect(id));
  // Defects read bodies before the mock does, and would not survive one that breaks off.
  const options = { seeds: defaultSeeds, requests: 10_000, seed: 1, breakingOff: false };
  const found = await fuzz(world, options).catch((error: Error) => error);
  expect(found).toMatchObject({ cause: { message: expect.stringMatching(what) } });
});
