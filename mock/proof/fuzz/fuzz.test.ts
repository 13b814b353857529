import { expect, it } from 'vitest';
import { operationIds } from '../../../spec/operations.ts';

import { wrong } from '../../wrong/wrong.ts';
import { fuzz } from './fuzz.ts';
import { createWorld } from './world.ts';

it('generated requests: no 5xx, every reply keeps the contract, nothing leaks, the store stays consistent', async () => {
  const world = await createWorld();
  await fuzz(world, { requests: 10_000, seed: 1 });

  // It was not the door alone that was tried.
  const ends = [...world.seen.keys()];
  const succeeded = (id: string) => ends.some((end) => end === `${id} 200` || end === `${id} 201`);
  expect([...operationIds, 'storage'].filter((id) => !succeeded(id))).toEqual([]);
  const refused = new Set(ends.map((end) => Number(end.split(' ')[1])));
  expect([400, 403, 404, 405, 409, 413, 415, 422, 429].filter((status) => !refused.has(status))).toEqual([]);
});

it.each([
  ['isolation/foreign-served-by-getConversationContext', /shows .* of (acme|globex)/],
  [
    'isolation/foreign-refused-but-done-by-applyConversationLabel',
    /changed \w+, which did not ask[\s\S]*refused, and changed/,
  ],
  ['isolation/their-site-in-a-refusal', /shows .* of (acme|globex)/],
  ['labels/private-name-in-a-closed-context', /shows internal-risk of nobody to see/],
  ['labels/siteId-missing', /against the contract: .*siteId/],
  ['upload/missing-content-type-500', /a 5xx that was not asked for/],
])('finds what is wrong with a mock that is wrong in a known way: %s', async (id, what) => {
  const world = await createWorld(wrong(id));
  const found = await fuzz(world, { requests: 10_000, seed: 1 }).catch((error: Error) => error);
  expect(found).toMatchObject({ cause: { message: expect.stringMatching(what) } });
});
