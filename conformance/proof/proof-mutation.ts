import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { defects } from './defects/index.ts';
import { legalVariants } from './legal-variants/index.ts';
import { mutants } from './mutants.ts';
import type { Baseline, Candidate, MutationJob, MutationResult, VariantBaseline, Witness } from './mutation-job.ts';
import { isSame, type JudgedMutant, percentOf, readMutationRecord, scoreLine, scoreOf } from './mutation-record.ts';
import { networkProfiles } from './network-profiles.ts';
import { onThreads } from './on-threads.ts';
import type { ProofMatrix } from './proof-matrix.ts';
import { writeReports } from './proof-reports.ts';

/**
 * `npm run proof:mutation`: takes away every assertion of every check in turn and looks whether the proof would notice.
 * What is written in mutation.json beside this file is asked again first, and only where it does not hold is anything looked
 * for: with every defect and variant, or with those alone whose ids begin as one `--on` says. `--only file.ts` is about one file of checks,
 * `--anew` forgets what is written. `--check` looks for nothing and writes nothing. Exits with 1 below 90% of the
 * assertions, and with `--check` where the record is not about these checks or does not hold.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    on: { type: 'string', multiple: true, default: [''] },
    anew: { type: 'boolean', default: false },
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
/** With the witness that was written; undefined where the assertion has not been measured. */
const witnessWritten = (number: number) => recordOf(number)?.noticed;
const isMeant = (id: string) => values.on.some((start) => id.startsWith(start));
const worker = new URL('mutation-worker.ts', import.meta.url);
const ask = (jobs: readonly MutationJob[]) => onThreads<MutationJob, MutationResult>(worker, jobs, threads);
const where = (number: number) => {
  const { file, line, kind, text } = all[number] ?? {};
  return `${kind} ${file}:${line} ${text}`;
};

process.exitCode = values.check ? await checkRecord() : await measure();
console.log(`${seconds()} s on ${threads} threads`);

async function measure(): Promise<number> {
  const witnesses = values.anew ? new Map<number, Witness | null>() : await stillHolding();
  const wanted = numbers.filter((number) => !witnesses.has(number));
  console.log(`${witnesses.size} witnesses hold, ${wanted.length} assertions to look at, ${seconds()} s`);

  const ids = defects.filter(({ id, survives }) => !survives && isMeant(id)).map(({ id }) => id);
  const parts = wanted.length === 0 ? [] : chunks(ids, 10);
  const baselines = (await ask(parts.map((some) => ({ kind: 'defects', ids: some })))).flatMap((result) =>
    result.kind === 'defects' ? result.baselines : [],
  );
  console.log(`${baselines.length} defects judged with every assertion in place, ${seconds()} s`);
  for (const [number, witness] of await witnessesOf(wanted, baselines, [])) witnesses.set(number, witness);
  console.log(`${wanted.length} mutants judged, ${seconds()} s`);

  // What keeps a check from judging too much may show only where everything is as it should be.
  const controls = numbers.filter((number) => all[number]?.kind === 'control' && witnesses.get(number) === null);
  if (controls.length > 0) {
    const networks = legalVariants
      .filter(({ id }) => isMeant(id))
      .flatMap(({ id: variant }) =>
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
  writeReports(JSON.parse(readFileSync(new URL('kill-matrix.json', import.meta.url), 'utf8')) as ProofMatrix);
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

/** Those that were written and hold. */
async function stillHolding(): Promise<Map<number, Witness | null>> {
  const jobs = numbers.flatMap((number): MutationJob[] => {
    const witness = witnessWritten(number);
    return witness ? [{ kind: 'witness', number, witness }] : [];
  });
  const found = (await ask(jobs)).flatMap((result) => (result.kind === 'mutant' ? [result] : []));
  return new Map(found.flatMap(({ number, witness }) => (witness === null ? [] : [[number, witness]])));
}

/** What is recorded has to be about the checks that there are, and every witness has to hold. */
async function checkRecord(): Promise<number> {
  const holding = await stillHolding();
  const problems = numbers.flatMap((number) => {
    const witness = witnessWritten(number);
    if (witness === undefined) return [`not measured yet: ${where(number)}`];
    if (witness === null || holding.has(number)) return [];
    return [`noticed before and no longer: ${where(number)}\n    ${JSON.stringify(witness)}`];
  });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) console.error('npm run proof:mutation looks again');
  const record = written ?? { mutants: [] };
  console.log(`${holding.size} witnesses hold\n${scoreLine(record, 'assertion')}\n${scoreLine(record, 'control')}`);
  return problems.length > 0 || percentOf(scoreOf(record, 'assertion')) < 90 ? 1 : 0;
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
