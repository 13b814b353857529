import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isFarOff, type Measurement, outcomeTable } from './measurement.ts';
import { prism } from './prism.ts';
import { checkout } from './servers.ts';
import { manyRecords, start } from './start.ts';
import { throughput } from './throughput.ts';
import { upload } from './upload.ts';

/**
 * `npm run bench` measures all parts, or those in `--only context,upload`. `--short` is for CI and compares with generous
 * bounds that noise alone does not exceed. Writes `.cache/bench/outcome.json` and `outcome.md`.
 */
const { values: flags } = parseArgs({ options: { short: { type: 'boolean' }, only: { type: 'string' } } });
const short = flags.short === true;
// If the bench is interrupted, its servers end as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const rounds = short ? { rounds: 7, duration: 1 } : { rounds: 9, duration: 2 };

const parts: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  context: () => throughput('context', rounds),
  labelPut: () => throughput('labelPut', rounds),
  throttled: () => throughput('throttled', rounds),
  start: () => start(short ? 3 : 15),
  records: () => manyRecords(5),
  upload: () => upload(1024 ** 3, 5),
  prism: () => prism({ rounds: 5, duration: 2 }),
};
const wanted = flags.only?.split(',') ?? (short ? ['context', 'labelPut', 'throttled', 'start'] : Object.keys(parts));

const loadBefore = loadavg()[0] ?? 0;
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

// Other processes make all measured times longer, so the load of the machine is part of the outcome.
const machine = `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, load average ${loadBefore.toFixed(1)} before`;
const table = `${machine}\n\n${outcomeTable(measurements)}${failed.map((line) => `\nNot measured: ${line}\n`).join('')}`;
const folder = join(checkout, '.cache/bench/');
await mkdir(folder, { recursive: true });
await writeFile(`${folder}outcome.md`, table);
await writeFile(`${folder}outcome.json`, JSON.stringify({ at: new Date(), machine, measurements, failed }, null, 2));
process.stdout.write(table);

if (short) {
  const farOff = measurements.filter(isFarOff);
  for (const { what } of farOff) process.stderr.write(`${what}: every round misses even the short bound\n`);
  process.exitCode = farOff.length + failed.length > 0 ? 1 : 0;
}
