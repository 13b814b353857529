import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { TenantSeed } from '../../index.ts';
import { defaultSeeds } from '../../seed/generated/tenants.ts';
import { requestValues } from './request-values.ts';
import { createWorld, type World } from './world.ts';

const maxSteps = 40;

interface FuzzOptions {
  readonly seeds: readonly TenantSeed[];
  readonly requests: number;
  readonly seed: number;
}

/**
 * Sends sequences of requests, each to a mock as at first.
 * @param requests about as many
 * @param seed the same one gives the same requests
 * @returns how many requests that were
 * @throws Error with the shortest sequence after which something is wrong; its `cause` says what
 */
export async function fuzz(world: World, { seeds, requests, seed }: FuzzOptions): Promise<number> {
  let sent = 0;
  const sequences = fc.array(requestValues(seeds), { maxLength: maxSteps, size: 'max' });
  const property = fc.asyncProperty(sequences, async (sequence) => {
    world.reset();
    for (const request of sequence) {
      sent++;
      const problems = await world.send(request);
      if (problems.length > 0) throw new Error(problems.join('\n'));
    }
  });
  await fc.assert(property, { seed, numRuns: Math.ceil((2 * requests) / maxSteps) });
  return sent;
}

/** `npm run fuzz -- 1000000 [seed]`: the long form of the test; ends with the first thing that is wrong. */
async function longRun([wanted = '1000000', firstSeed = '1']: readonly string[]): Promise<void> {
  const world = await createWorld(defaultSeeds);
  let sent = 0;
  for (let seed = Number(firstSeed); sent < Number(wanted); seed++) {
    sent += await fuzz(world, { seeds: defaultSeeds, requests: Math.min(50_000, Number(wanted)), seed });
    process.stdout.write(`${sent} requests, ${world.seen.size} different ends, up to seed ${seed}: nothing wrong\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await longRun(process.argv.slice(2));
