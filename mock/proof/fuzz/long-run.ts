import { defaultSeeds } from '../../seed/generated/tenants.ts';
import { fuzz } from './fuzz.ts';
import { createWorld } from './world.ts';

/** `npm run fuzz -- 1000000 [seed]`: the long form of `fuzz.test.ts`; ends with the first thing that is wrong. */
const [wanted = '1000000', firstSeed = '1'] = process.argv.slice(2);
const requests = Number(wanted);
const atOnce = 50_000;

if (!(requests > 0) || !Number.isInteger(Number(firstSeed))) {
  throw new Error(`npm run fuzz -- ${wanted} ${firstSeed}: give a number of requests and a whole number as the seed`);
}
const world = await createWorld(defaultSeeds);
const startedAt = performance.now();
let sent = 0;
for (let seed = Number(firstSeed); sent < requests; seed++) {
  sent += await fuzz(world, { seeds: defaultSeeds, requests: Math.min(atOnce, requests), seed });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${sent} requests, ${world.seen.size} different ends, ${Math.round(seconds)} s, up to seed ${seed}: nothing wrong`,
  );
}
