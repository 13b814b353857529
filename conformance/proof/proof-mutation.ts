import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { defects } from './defects/index.ts';
import { legalVariants } from './legal-variants/index.ts';
import { mutants } from './mutants.ts';
import type { Baseline, Candidate, MutationJob, MutationResult, VariantBaseline, Witness } from './mutation-job.ts';
import { isSame, type JudgedMutant, percentOf, readMutationRecord, scoreLine, scoreOf } from './mutation-record.ts';
import { networkProfiles } from './network-profiles.ts';
import { onThreads } from './on-threads.ts';

/**
 * `npm run proof:mutation`: takes away every assertion of every check in turn and looks whether the proof would notice.
 * Writes mutation.json beside this file. `--only file.ts` measures the assertions of one file anew. `--check` measures
 * nothing, and makes sure that what is written there is still so: every witness is asked again. Exits with 1 below 90% of
 * the assertions, and where the record does not hold.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    check: { type: 'boolean', default: false },
    threads: { type: 'string' },
  },
});
const threads = Number(values.threads ?? availableParallelism());
const startedAt = performance.now();
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);
const all = mutants();
const numbers = [...all.keys()].filter((number) => values.only === undefined || all[number]?.file === values.only);
const written = readMutationRecord();
const recordOf = (number: number) => {
  const mutant = all[number];
  return mutant && written?.mutants.find((one) => isSame(one, mutant));
};
const worker = new URL('mutation-worker.ts', import.meta.url);
const ask = (jobs: readonly MutationJob[]) => onThreads<MutationJob, MutationResult>(worker, jobs, threads);
const where = (number: number) => {
  const { file, line, kind, text } = all[number] ?? {};
  return `${kind} ${file}:${line} ${text}`;
};

process.exitCode = values.check ? await checkRecord() : await measure();
console.log(`${seconds()} s on ${threads} threads`);

async function measure(): Promise<number> {
  const parts = chunks(
    defects.filter(({ survives }) => !survives).map(({ id }) => id),
    10,
  );
  const baselines = (await ask(parts.map((ids) => ({ kind: 'defects', ids })))).flatMap((result) =>
    result.kind === 'defects' ? result.baselines : [],
  );
  console.log(`${baselines.length} defects judged with every assertion in place, ${seconds()} s`);
  const witnesses = await witnessesOf(numbers, baselines, []);
  console.log(`${numbers.length} mutants judged, ${seconds()} s`);

  // What keeps a check from judging too much may show only where everything is as it should be.
  const controls = numbers.filter((number) => all[number]?.kind === 'control' && witnesses.get(number) === null);
  if (controls.length > 0) {
    const networks = legalVariants.flatMap(({ id: variant }) =>
      networkProfiles.map(({ id: network }): MutationJob => ({ kind: 'variant', variant, network })),
    );
    const variants = (await ask(networks)).flatMap((result) => (result.kind === 'variant' ? [result.baseline] : []));
    for (const [number, witness] of await witnessesOf(controls, [], variants)) witnesses.set(number, witness);
  }
  for (const [number, witness] of witnesses) {
    if (witness !== null) continue;
    console.log(`unnoticed ${where(number)}\n    threw on ${candidatesOf(number, baselines).length} defects`);
  }
  const record = {
    mutants: all.map(({ line: _, ...mutant }, number): JudgedMutant => {
      const noticed = witnesses.has(number) ? witnesses.get(number) : recordOf(number)?.noticed;
      return { ...mutant, noticed: noticed ?? null };
    }),
  };
  writeFileSync(new URL('mutation.json', import.meta.url), `${JSON.stringify(record, null, 1)}\n`);
  console.log(`${scoreLine(record, 'assertion')}\n${scoreLine(record, 'control')}`);
  return percentOf(scoreOf(record, 'assertion')) >= 90 ? 0 : 1;
}

async function witnessesOf(
  which: readonly number[],
  baselines: readonly Baseline[],
  variants: readonly VariantBaseline[],
): Promise<Map<number, Witness | null>> {
  const jobs = which.map((number): MutationJob => {
    const candidates = candidatesOf(number, baselines);
    return { kind: 'mutant', number, candidates, variants: variants.filter(({ thrown }) => thrown.includes(number)) };
  });
  const results = await ask(jobs);
  return new Map(results.flatMap((result) => (result.kind === 'mutant' ? [[result.number, result.witness]] : [])));
}

/** The defects on which it threw; first those where it ended the fewest checks. */
function candidatesOf(number: number, baselines: readonly Baseline[]): Candidate[] {
  const candidates = baselines.flatMap(({ thrown, caught, ...baseline }): Candidate[] => {
    const checks = Object.keys(thrown).filter((id) => thrown[id]?.includes(number));
    if (checks.length > 0) return [{ baseline, checks }];
    return caught.includes(number) ? [{ baseline, checks: null }] : [];
  });
  const size = ({ checks }: Candidate) => checks?.length ?? 1000;
  return candidates.sort((a, b) => size(a) - size(b));
}

/** What is recorded has to be about the checks that there are, and every witness has to hold. */
async function checkRecord(): Promise<number> {
  const problems: string[] = [];
  const jobs = numbers.flatMap((number): MutationJob[] => {
    const known = recordOf(number);
    if (known === undefined) problems.push(`not measured yet: ${where(number)}`);
    return known?.noticed ? [{ kind: 'witness', number, witness: known.noticed }] : [];
  });
  for (const result of await ask(jobs)) {
    if (result.kind === 'mutant' && result.witness === null)
      problems.push(`noticed before and no longer: ${where(result.number)}`);
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) console.error('npm run proof:mutation measures anew, with --only one file');
  const record = written ?? { mutants: [] };
  console.log(`${jobs.length} witnesses asked\n${scoreLine(record, 'assertion')}\n${scoreLine(record, 'control')}`);
  return problems.length > 0 || percentOf(scoreOf(record, 'assertion')) < 90 ? 1 : 0;
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
