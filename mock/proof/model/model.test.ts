import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createClock, createMock } from '../../index.ts';
import { defaultSeeds } from '../../seed/generated/tenants.ts';
import { memoryFiles } from '../../storage/files.ts';
import { wrong } from '../../wrong/wrong.ts';
import { play } from './play.ts';
import { steps } from './step-values.ts';

/** Plays random sequences against a mock, as at first each time. @throws with the shortest that differs from the model */
async function playAll(sequences: number, id?: string) {
  const mock = await createMock({
    rateLimit: false,
    files: memoryFiles(),
    clock: createClock(() => Date.UTC(2026, 0, 1)),
    journal: false,
    ...(id && { wrong: wrong(id) }),
  });
  let played = 0;
  const sequencesOfSteps = fc.array(steps(defaultSeeds), { maxLength: 24, size: 'max' });
  const property = fc.asyncProperty(sequencesOfSteps, async (sequence) => {
    mock.reset();
    played += sequence.length;
    const differences = await play(mock.handle, defaultSeeds, sequence);
    if (differences.length > 0) throw new Error(differences.join('\n'));
  });
  await fc.assert(property, { seed: 1, numRuns: sequences });
  return played;
}

it('random sequences of all operations on three tenants at once: no difference from the model', async () => {
  const sequences = 10_000;
  expect(await playAll(sequences)).toBeGreaterThan(5 * sequences);
});

it.each([
  ['isolation/foreign-served-by-removeClientSiteLabel', /expected 404, got 200/],
  ['labels/remove-loses-a-neighbour', /Label: body.labels should be/],
  ['labels/apply-to-site-not-stored', /body.labels should be/],
  ['upload/registerSiteFile-answers-410', /registerSiteFile/],
])(
  'differs from a mock that is wrong in a known way: %s',
  async (id, difference) => {
    const found = await playAll(3_000, id).catch((error: Error) => error);
    expect(found).toMatchObject({ cause: { message: expect.stringMatching(difference) } });
  },
  300_000,
);
