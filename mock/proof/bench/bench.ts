import { mkdir } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { isFarOff, type Measurement, outcomeTable } from './measurement.ts';
import { parts } from './parts.ts';
import { cache } from './servers.ts';

/**
 * `npm run bench` measures all parts. `--short` is for CI: some parts, and only what is far off its
 * goal fails.
 */
const short = process.argv.includes('--short');
// If the bench is interrupted, its servers end as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const quick = ['context', 'labelPut', 'throttled', 'start', 'copy'] as const;
const wanted = short ? quick : (Object.keys(parts) as (keyof typeof parts)[]);

const loadBefore = loadavg()[0] ?? 0;
const measurements: Measurement[] = [];
const failed: string[] = [];
await mkdir(cache, { recursive: true });
for (const name of wanted) {
  process.stderr.write(`${name} ...\n`);
  try {
    measurements.push(...(await parts[name](short)));
  } catch (error) {
    failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

// Other processes make all measured times longer, so the load of the machine is part of the outcome.
const machine = `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, load average ${loadBefore.toFixed(1)} before`;
process.stdout.write(
  `${machine}\n\n${outcomeTable(measurements)}${failed.map((line) => `\nNot measured: ${line}\n`).join('')}`,
);

if (short) {
  const farOff = measurements.filter(isFarOff);
  for (const { what } of farOff) process.stderr.write(`${what}: every round is far off its goal\n`);
  process.exitCode = farOff.length + failed.length > 0 ? 1 : 0;
}
