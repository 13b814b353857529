import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { createClock, createMock, type Mock } from '../../index.ts';
import { defaultSeeds } from '../../seed/generated/tenants.ts';
import { memoryFiles } from '../../storage/files.ts';
import { defects } from '../defects.ts';
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
});

it.each([
  ['finds links of every tenant where a label is removed', /expected 404, got 200/],
  ['takes off a second label with the one that is removed', /Label: body.labels should be/],
  ['does not keep a label that is put on', /body.labels should be/],
  ['finds no fileKey where a file is registered', /registerSiteFile/],
] as const)(
  'differs from a mock that %s',
  async (name, difference) => {
    const found = await playAll(3_000, defects[name]).catch((error: Error) => error);
    expect(found).toMatchObject({ cause: { message: expect.stringMatching(difference) } });
  },
  300_000,
);
