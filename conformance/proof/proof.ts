import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checks } from '../checks/index.ts';
import { defects } from './defects/index.ts';
import { legalVariants } from './legal-variants/index.ts';
import { networkProfiles } from './network-profiles.ts';
import { doJobs, type Job } from './proof-jobs.ts';
import { type ProofMatrix, proofMatrix, proofProblems, tallyOf } from './proof-matrix.ts';
import { writeReports } from './proof-reports.ts';

/**
 * `npm run proof`: every defect, every legal variant over seeds and networks, in virtual time. Writes kill-matrix.json, .md
 * and .html beside this file, unless `--short`: then fewer seeds, and nothing is written. `--defects` leaves the variants
 * that are there as they were. What came out otherwise than the last time is written with `--accept` alone. Exits with 1
 * when anything of the proof does not hold.
 */
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    defects: { type: 'boolean', default: false },
    accept: { type: 'boolean', default: false },
    threads: { type: 'string' },
  },
});
const seeds = Array.from({ length: values.short ? 2 : 20 }, (_, index) => index + 1);
const threads = Number(values.threads ?? Math.max(1, availableParallelism()));
const file = (name: string) => new URL(name, import.meta.url);

const jobs: Job[] = [];
const atOnce = 10;
for (let at = 0; at < defects.length; at += atOnce) {
  jobs.push({ kind: 'defects', ids: defects.slice(at, at + atOnce).map(({ id }) => id) });
}
const before: ProofMatrix | null = existsSync(file('kill-matrix.json'))
  ? (JSON.parse(readFileSync(file('kill-matrix.json'), 'utf8')) as ProofMatrix)
  : null;
const left = values.defects ? (before?.variants ?? []) : [];
for (const { id: variant } of legalVariants.filter(({ id }) => !left.some((row) => row.id === id))) {
  for (const { id: network } of networkProfiles) jobs.push({ kind: 'variant', variant, network, seeds });
}

const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);
const results = await doJobs(jobs, threads, ({ defects: judged, variants }, done) => {
  for (const { id, fate, survives } of judged)
    if (fate !== 'killed' && !survives) console.log(`${fate.padEnd(9)} ${id}`);
  for (const { variant, profile, seed, falseAlarms } of variants) {
    for (const { check, message } of falseAlarms)
      console.log(`alarm     ${variant} ${profile} ${seed} ${check}: ${message}`);
  }
  if (done % 20 === 0 || done === jobs.length) console.log(`${done} of ${jobs.length} parts done, ${seconds()} s`);
});

const order = new Map(defects.map(({ id }, index) => [id, index]));
const judged = results.defects.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
const runs = results.variants.sort((a, b) => a.seed - b.seed);
const found = proofMatrix(checks, judged, legalVariants, runs);
const matrix: ProofMatrix = {
  ...found,
  variants: found.variants.map((row) => left.find(({ id }) => id === row.id) ?? row),
  seeds: Math.max(found.seeds, left.length > 0 ? (before?.seeds ?? 0) : 0),
  networks: networkProfiles.map(({ id }) => id),
};
const problems = proofProblems(matrix, values.accept ? null : before);

// What has changed stays on record until somebody has decided about it.
const changed = problems.some((problem) => /^(lost|judged):/.test(problem));
if (!values.short) {
  if (!changed) writeFileSync(file('kill-matrix.json'), `${JSON.stringify(matrix, null, 1)}\n`);
  writeReports(matrix);
}

const tally = tallyOf(matrix);
console.log(
  [
    `${tally.killed} of ${tally.defects} defects killed by a check of the rule that they break, ${tally.survived} of ${tally.invisible} that nobody can see survived`,
    `${tally.noticed} of ${tally.deviations} unassumed answers to open questions noticed`,
    `${matrix.variants.length} legal variants, ${tally.runs} runs, ${tally.falseAlarms} false alarms`,
    `${checks.length} checks, ${seconds()} s on ${threads} threads`,
  ].join('\n'),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
