import fc from 'fast-check';
import type { TenantSeed } from '../../index.ts';
import { requestValues } from './request-values.ts';
import type { World } from './world.ts';

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
