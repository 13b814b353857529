import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { createClock, createMock, type Mock } from '../../index.ts';
import { defaultSeeds } from '../../seed/generated/tenants.ts';
import { memoryFiles } from '../../storage/memory-files.ts';
import { plantDefect } from '../plant-defect.ts';
import { play } from './play.ts';
import { stepSequences } from './step-values.ts';

/** Plays random sequences against a mock, as at first each time. @throws with the shortest that differs from the model */
async function playAll(sequences: number, around: (mock: Mock) => Mock['handle'] = ({ handle }) => handle) {
  const mock = await createMock({
    rateLimit: false,
    files: memoryFiles(),
    clock: createClock(() => Date.UTC(2026, 0, 1)),
    journal: false,
  });
  let steps = 0;
  const property = fc.asyncProperty(stepSequences(defaultSeeds), async (sequence) => {
    mock.reset();
    steps += sequence.length;
    const differences = await play(around(mock), defaultSeeds, sequence);
    if (differences.length > 0) throw new Error(differences.join('\n'));
  });
  await fc.assert(property, { seed: 1, numRuns: sequences });
  return steps;
}

it('random sequences of all operations on three tenants at once: no difference from the model', async () => {
  const sequences = 10_000;
  const steps = await playAll(sequences);
  expect(steps).toBeGreaterThan(5 * sequences);
  tally({ inputs: sequences });
}, 300_000);

it.each([
  ['isolation/any-key-labels-link', /expected 404, got 200/],
  ['labels/remove-loses-a-neighbour', /remove\w+Label: body.labels should be/],
  ['labels/closed-conversation-ignored', /body.labels should be/],
  ['upload/register-knows-no-key', /registerSiteFile/],
])(
  'differs from a mock that has the defect %s',
  async (id, difference) => {
    const found = await playAll(3_000, plantDefect(id)).catch((error: Error) => error);
    expect(found).toMatchObject({ cause: { message: expect.stringMatching(difference) } });
  },
  300_000,
);
