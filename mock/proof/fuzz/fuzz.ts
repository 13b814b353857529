import fc from 'fast-check';
import { defaultSeeds } from '../../seed/generated/tenants.ts';
import { mostly, steps } from '../model/step-values.ts';
import { type Mutation, mutations } from './mutations.ts';
import { createWorld, type World } from './world.ts';

const maxSteps = 40;

/** Mostly a lawful request, else one that is wrong in one or two ways; its body comes in pieces, and now and then breaks off. */
const fuzzSteps = fc.record({
  planned: steps(defaultSeeds),
  mutations: mostly<Mutation[]>(2, fc.constant([]), fc.array(mutations, { minLength: 1, maxLength: 2 })),
  pieces: fc.constantFrom(1, 1, 2, 5),
  breaksOff: mostly(30, fc.constant(false), fc.constant(true)),
  after: fc.constantFrom(0, 0, 0, 30, 100, 100, 250, 1000, 150_000),
});

/**
 * Sends sequences of requests, each to a mock as at first.
 * @param requests about as many
 * @param seed the same one gives the same requests
 * @returns how many requests that were
 * @throws Error with the shortest sequence after which something is wrong; its `cause` says what
 */
export async function fuzz(world: World, { requests, seed }: { requests: number; seed: number }): Promise<number> {
  let sent = 0;
  const sequences = fc.array(fuzzSteps, { maxLength: maxSteps, size: 'max' });
  const property = fc.asyncProperty(sequences, async (sequence) => {
    world.reset();
    for (const step of sequence) {
      sent++;
      const problems = await world.send(step);
      if (problems.length > 0) throw new Error(problems.join('\n'));
    }
  });
  await fc.assert(property, { seed, numRuns: Math.ceil((2 * requests) / maxSteps) });
  return sent;
}

/** `npm run fuzz -- 1000000 [seed]`: the long form of the test; ends with the first thing that is wrong. */
async function longRun([wanted = '1000000', firstSeed = '1']: readonly string[]): Promise<void> {
  const world = await createWorld();
  let sent = 0;
  for (let seed = Number(firstSeed); sent < Number(wanted); seed++) {
    sent += await fuzz(world, { requests: Math.min(50_000, Number(wanted)), seed });
    process.stdout.write(`${sent} requests, ${world.seen.size} different ends, up to seed ${seed}: nothing wrong\n`);
  }
}

if (import.meta.main) await longRun(process.argv.slice(2));
