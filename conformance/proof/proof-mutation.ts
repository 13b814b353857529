import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { DefectResult } from './judge-defect.ts';
import { areasThrough, type Mutant, mutants } from './mutants.ts';

type Judged = Pick<DefectResult, 'id' | 'killedBy' | 'inconclusive' | 'collateral'>;

/** What a worker is given: a version of one file, and what the unchanged one had found. */
export interface MutantJob {
  readonly file: string;
  readonly source: string | null;
  readonly areas: readonly string[];
  readonly baseline: readonly Judged[] | null;
}

/** `lost`: a check no longer finds a defect that it found, which fails the proof; `changed`: it judges what it could not tell. */
export interface Noticed {
  readonly kind: 'lost' | 'changed';
  readonly defect: string;
  readonly check: string;
}

interface Answer {
  readonly noticed: Noticed | null;
  readonly results: readonly Judged[];
}

const ask = (job: MutantJob): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('mutant-worker.ts', import.meta.url), { workerData: job });
    worker.once('message', (answer: Answer) => {
      resolve(answer);
      void worker.terminate();
    });
    // A mutant that does not even load is noticed by everything.
    worker.once('error', reject);
  });

/**
 * `npm run proof:mutation [-- --only file.ts]`: takes away every assertion of every check in turn and looks whether the
 * proof would notice. Exits with 1 below 90% of the assertions.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, threads: { type: 'string' } } });
const threads = Number(values.threads ?? availableParallelism());
const all = mutants().filter(({ file }) => values.only === undefined || file === values.only);
const baselines = new Map<string, Promise<readonly Judged[]>>();
const baselineOf = (areas: readonly string[]) => {
  const name = areas.join(' ');
  const known =
    baselines.get(name) ?? ask({ file: '', source: null, areas, baseline: null }).then(({ results }) => results);
  baselines.set(name, known);
  return known;
};

const score = { assertion: { all: 0, noticed: 0 }, control: { all: 0, noticed: 0 } };
const waiting = [...all];
const startedAt = performance.now();

async function judge({ file, line, kind, text, source }: Mutant): Promise<void> {
  const areas = areasThrough(file);
  const baseline = await baselineOf(areas);
  const { noticed } = await ask({ file, source, areas, baseline }).catch(
    (): Answer => ({ noticed: { kind: 'lost', defect: 'all', check: 'all' }, results: [] }),
  );
  const counts = kind === 'assertion' ? noticed?.kind === 'lost' : noticed !== null;
  score[kind].all++;
  if (counts) score[kind].noticed++;
  else console.log(`unnoticed ${kind} ${file}:${line} ${text}`);
}

const work = async () => {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) await judge(mutant);
};
await Promise.all(Array.from({ length: threads }, work));

const percent = ({ noticed, all: count }: { noticed: number; all: number }) =>
  count === 0 ? 100 : Math.round((1000 * noticed) / count) / 10;
for (const [kind, counts] of Object.entries(score)) {
  console.log(`${kind}s: ${counts.noticed} of ${counts.all} noticed, ${percent(counts)}%`);
}
console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
process.exitCode = percent(score.assertion) >= 90 ? 0 : 1;
