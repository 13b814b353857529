import { registerHooks } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { Check } from '../check.ts';
import type { DefectResult } from './judge-defect.ts';
import { mutants, switchable } from './mutants.ts';
import type { Baseline, Candidate, MutationJob, MutationResult, VariantBaseline, Witness } from './mutation-job.ts';
import { throwersOf, thrownSince, without } from './mutation-switch.ts';

/** Judges defects and variants with one assertion of the checks away at a time, all from one loaded version of them. */

const folder = new URL('../checks/', import.meta.url).href;
const all = mutants();
const sources = new Map<string, string>();
for (const [number, { file }] of all.entries()) {
  if (!sources.has(file)) sources.set(file, switchable(file, number));
}
registerHooks({
  load(url, context, next) {
    const source = url.startsWith(folder) ? sources.get(url.slice(folder.length)) : undefined;
    return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true };
  },
});

const { checks: declared } = await import('../checks/index.ts');
const { defects } = await import('./defects/index.ts');
const { judgeDefect } = await import('./judge-defect.ts');
const { judgeVariant } = await import('./judge-variant.ts');
const { legalVariants } = await import('./legal-variants/index.ts');
const { named } = await import('./named.ts');
const { networkProfiles } = await import('./network-profiles.ts');

/** By the check that they ended: the assertions that threw in the run under way. */
let ended = new Map<string, readonly number[]>();

const checks = declared.map(
  (check): Check => ({
    ...check,
    run: (context) =>
      check.run(context).catch((error: unknown) => {
        ended.set(check.id, throwersOf(error));
        throw error;
      }),
  }),
);

const judged = (defect: string, which: readonly Check[], number: number | null) =>
  without(number, () => judgeDefect(named(defects, defect), which));

const variantOf = (variant: string, network: string, number: number | null) =>
  without(number, () => judgeVariant(named(legalVariants, variant), named(networkProfiles, network), 1, checks));

async function baselineOf(defect: string): Promise<Baseline> {
  ended = new Map();
  thrownSince();
  const { killedBy, inconclusive } = await judged(defect, checks, null);
  const attributed = new Set([...ended.values()].flat());
  const caught = thrownSince().filter((number) => !attributed.has(number));
  return { defect, killedBy, inconclusive, thrown: Object.fromEntries(ended), caught };
}

async function variantBaselineOf(variant: string, network: string): Promise<VariantBaseline> {
  thrownSince();
  await variantOf(variant, network, null);
  return { variant, network, thrown: thrownSince() };
}

type Found = Pick<DefectResult, 'id' | 'killedBy' | 'inconclusive'>;

/** The difference that the proof would complain about. */
function difference(before: Omit<Found, 'id'>, { id: defect, killedBy, inconclusive }: Found): Witness | null {
  const lost = before.killedBy.find((id) => !killedBy.includes(id));
  if (lost !== undefined) return { kind: 'lost', defect, check: lost };
  const told = before.inconclusive.find((id) => !inconclusive.includes(id));
  return told === undefined ? null : { kind: 'judged', defect, check: told };
}

const known = new Map<string, Promise<Found>>();

/** What a few checks find in a defect with every assertion in place. */
function alone(defect: string, which: readonly Check[]): Promise<Found> {
  const name = [defect, ...which.map(({ id }) => id)].join(' ');
  const found = known.get(name) ?? judged(defect, which, null);
  known.set(name, found);
  return found;
}

const only = (wanted: readonly string[], found: Omit<Found, 'id'>) => ({
  killedBy: found.killedBy.filter((id) => wanted.includes(id)),
  inconclusive: found.inconclusive.filter((id) => wanted.includes(id)),
});

/** Those checks of a run that can do without the rest of it; null where one of them judges all the others. */
function separable(ids: readonly string[] | null): readonly Check[] | null {
  const which = checks.filter(({ id }) => ids?.includes(id));
  return ids === null || which.some(({ after }) => after === 'everything') ? null : which;
}

/** First a few checks alone, which takes milliseconds; what shows there has to show in the whole run as well. */
async function shows(number: number, { baseline, checks: ids }: Candidate): Promise<Witness | null> {
  const { defect } = baseline;
  const few = separable(ids);
  if (few !== null) {
    const before = only([...baseline.killedBy, ...baseline.inconclusive], await alone(defect, few));
    const complete = few.every(({ id }) => before.killedBy.includes(id) || before.inconclusive.includes(id));
    if (complete && difference(before, await judged(defect, few, number)) === null) return null;
  }
  return difference(baseline, await judged(defect, checks, number));
}

async function witnessOf({
  number,
  candidates,
  variants,
}: Extract<MutationJob, { kind: 'mutant' }>): Promise<Witness | null> {
  const isControl = all[number]?.kind === 'control';
  let told: Witness | null = null;
  for (const candidate of candidates) {
    const witness = await shows(number, candidate);
    if (witness?.kind === 'lost') return witness;
    if (isControl) told ??= witness;
  }
  for (const { variant, network } of told === null && isControl ? variants : []) {
    const [alarm] = (await variantOf(variant, network, number)).falseAlarms;
    if (alarm !== undefined) return { kind: 'alarm', variant, network, check: alarm.check };
  }
  return told;
}

async function holds(number: number, witness: Witness): Promise<boolean> {
  if (witness.kind === 'alarm') {
    return (await variantOf(witness.variant, witness.network, number)).falseAlarms.length > 0;
  }
  const property = witness.kind === 'lost' ? 'killedBy' : 'inconclusive';
  // Where the check alone does not tell what the whole run does, the whole run is asked.
  for (const which of [separable([witness.check]) ?? checks, checks]) {
    const before = await alone(witness.defect, which);
    if (!before[property].includes(witness.check)) continue;
    if (!(await judged(witness.defect, which, number))[property].includes(witness.check)) return true;
  }
  return false;
}

async function answer(job: MutationJob): Promise<MutationResult> {
  switch (job.kind) {
    case 'defects': {
      const baselines: Baseline[] = [];
      for (const id of job.ids) baselines.push(await baselineOf(id));
      return { kind: 'defects', baselines };
    }
    case 'variant':
      return { kind: 'variant', baseline: await variantBaselineOf(job.variant, job.network) };
    case 'mutant':
      return { kind: 'mutant', number: job.number, witness: await witnessOf(job) };
    case 'witness': {
      const held = await holds(job.number, job.witness);
      return { kind: 'mutant', number: job.number, witness: held ? job.witness : null };
    }
  }
}

parentPort?.on('message', async (job: MutationJob) => parentPort?.postMessage(await answer(job)));
