import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { coldStart } from './measures/cold-start.ts';
import { conformance } from './measures/conformance.ts';
import { hostileReply } from './measures/hostile-reply.ts';
import { latency } from './measures/latency.ts';
import { manyListeners } from './measures/listeners.ts';
import { memory } from './measures/memory.ts';
import { pacing } from './measures/pacing.ts';
import { peerStarts, peers } from './measures/peers.ts';
import { scale } from './measures/scale.ts';
import { throughput } from './measures/throughput.ts';
import { upload } from './measures/upload.ts';
import { goals, reaches } from './report/goals.ts';
import type { Measurement } from './report/measurement.ts';
import { outcomeTable } from './report/outcome-table.ts';
import { checkout } from './server/program.ts';
import { loadTool } from './traffic/fire.ts';

/**
 * `npm run bench` measures all parts, or those in `--only context,upload`. `--short` is for CI and compares with generous
 * bounds that noise alone does not exceed. Writes `.cache/bench/outcome.json` and `outcome.md`.
 */
const { values: flags } = parseArgs({ options: { short: { type: 'boolean' }, only: { type: 'string' } } });
const short = flags.short === true;
// If the bench is interrupted, its servers end as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { name: tool, fire } = await loadTool();
const rounds = short ? { rounds: 7, duration: 1 } : { rounds: 9, duration: 2 };

const parts: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  context: async () => [await throughput('context', fire, rounds)],
  labelPut: async () => [await throughput('labelPut', fire, rounds)],
  throttled: async () => [await throughput('throttled', fire, rounds)],
  p99: async () => [await latency(fire, rounds)],
  start: () => coldStart(short ? 3 : 15),
  memory: async () => [await memory(fire, 1_000_000)],
  upload: () => upload(1024 ** 3, 5),
  scale: () => scale(fire, { rounds: 5, duration: 2 }),
  listeners: async () => [await manyListeners(3)],
  conformance,
  pacing: async () => [await pacing(60)],
  hostileReply: async () => [await hostileReply(['labels', 'upload', 'isolation', 'overload'])],
  peers: async () => [...(await peers(fire, { rounds: 5, duration: 2 })), ...(await peerStarts(5))],
};
const wanted = flags.only?.split(',') ?? (short ? ['context', 'labelPut', 'throttled', 'start'] : Object.keys(parts));

/** Other processes make all measured times longer, so the load of the machine is part of the outcome. */
const loadBefore = loadavg()[0] ?? 0;
const startedAt = performance.now();
const measurements: Measurement[] = [];
const failed: string[] = [];
for (const name of wanted) {
  const part = parts[name];
  if (part === undefined) throw new Error(`there is no part ${name}; there are ${Object.keys(parts).join(', ')}`);
  process.stderr.write(`${name} ...\n`);
  try {
    measurements.push(...(await part()));
  } catch (error) {
    failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const machine = `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, load from ${tool}, load average ${loadBefore.toFixed(1)} before, took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`;
const otherwise =
  loadBefore > availableParallelism() / 2
    ? 'the machine was not idle, so that this run does not say why'
    : 'nothing that this run measured explains it';
const table = `${machine}\n\n${outcomeTable(measurements, otherwise)}${failed.map((line) => `\nNot measured: ${line}\n`).join('')}`;
const folder = join(checkout, '.cache/bench/');
await mkdir(folder, { recursive: true });
await writeFile(`${folder}outcome.md`, table);
await writeFile(
  `${folder}outcome.json`,
  JSON.stringify({ at: new Date(), machine, goals, measurements, failed }, null, 2),
);
process.stdout.write(table);

if (short) {
  const missed = measurements.filter(({ goal, figure }) => {
    const bound = goal === null ? null : goals[goal].shortBound;
    // The best round counts, because noise only makes rounds worse.
    return goal !== null && bound !== null && !reaches({ relation: goals[goal].relation, bound }, best(goal, figure));
  });
  for (const { goal, figure } of missed)
    process.stderr.write(`${goal}: ${figure.median} misses even the short bound\n`);
  process.exitCode = missed.length + failed.length > 0 ? 1 : 0;
}

function best(goal: keyof typeof goals, figure: Measurement['figure']): number {
  return goals[goal].relation === 'at least' ? figure.max : figure.min;
}
