import { parseArgs } from 'node:util';
import { interruptAll, points } from './interrupt.ts';

// The long form of interruptions.test.ts:
// npm run interruptions -- [--points 512] [--jobs 8] [--first 1], the write at which the first run is interrupted

const { values } = parseArgs({
  options: { points: { type: 'string' }, jobs: { type: 'string' }, first: { type: 'string' } },
});
const wanted = Number(values.points ?? 512);
const jobs = Number(values.jobs ?? 8);

const counts = new Map<string, { tried: number; differ: number }>();
let tried = 0;
let differ = 0;
await interruptAll(points(Number(values.first ?? 1)), { wanted, jobs }, (point, differs) => {
  tried++;
  const name = `${point.command} ${point.deployment} ${point.signal}`;
  const count = counts.get(name) ?? { tried: 0, differ: 0 };
  counts.set(name, count);
  count.tried++;
  if (differs !== null) {
    differ++;
    count.differ++;
    console.log(`differs: ${name}, write ${point.write} ${point.step}: ${differs}`);
  }
  if (tried % 20 === 0) console.log(`${tried} of ${wanted} interrupted and cleaned up, ${differ} differ`);
});
console.table(Object.fromEntries([...counts].sort()));
console.log(`${tried} runs interrupted and cleaned up: ${differ} deployments differ from before`);
process.exitCode = differ > 0 ? 1 : 0;
