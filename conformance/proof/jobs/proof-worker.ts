import { parentPort } from 'node:worker_threads';
import { verdictOf } from '../../run/verdict.ts';
import { defects } from '../defects/index.ts';
import { legalVariants } from '../legal-variants/index.ts';
import { named } from '../trials/named.ts';
import { networkProfiles } from '../trials/network-profiles.ts';
import { findersIn, type Trial, tryDefect, tryVariant, unjudgedIn } from '../trials/trial.ts';
import { editRuns } from './edits.ts';
import { killedRun } from './killed-run.ts';
import type { DefectRun, Job, Result, VariantRun } from './parts.ts';

/** Does one job at a time. */
parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await done(job)));

async function done(job: Job): Promise<Result[]> {
  switch (job.part) {
    case 'defects':
      return inTurn(job.ids.flatMap((id) => job.seeds.map((seed) => () => defectRun(id, job.probability, seed))));
    case 'variants':
      return inTurn(job.seeds.map((seed) => () => variantRun(job.id, job.network, seed)));
    case 'edits':
      return editRuns(job.seed, job.share);
    case 'killed-runs':
      return inTurn(job.at.map((at) => () => killedRun(at)));
  }
}

async function inTurn<T>(all: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  for (const one of all) results.push(await one());
  return results;
}

async function defectRun(id: string, probability: number, seed: number): Promise<DefectRun> {
  const defect = named(defects, id);
  const own = (trial: Trial) =>
    findersIn(trial.results).filter(({ rule, outcome }) => rule === defect.breaks && outcome !== 'error');
  const verdict = ({ results }: Trial) => verdictOf(results, { allowNotRun: true }).verdict;
  // Most defects are found by the situations that feed their rule. Only if one is not, a whole run follows.
  const narrow = await tryDefect(defect, { probability, seed, rules: new Set([defect.breaks]) });
  const found = probability === 1 ? own(narrow).length > 0 : verdict(narrow) === 'non-conformant';
  const trial = found ? narrow : await tryDefect(defect, { probability, seed });
  const { results, reached, changed } = trial;
  const others = findersIn(results).filter(({ rule, outcome }) => rule !== defect.breaks && outcome !== 'observed');
  return {
    part: 'defects',
    id,
    probability,
    seed,
    reached,
    verdict: verdict(trial),
    killedBy: own(trial).map((result) => result.id),
    others: others.map((result) => result.id),
    changed,
  };
}

async function variantRun(id: string, networkId: string, seed: number): Promise<VariantRun> {
  const variant = named(legalVariants, id);
  const network = named(networkProfiles, networkId);
  const { results, changed } = await tryVariant(variant, { seed, network });
  const alarms = findersIn(results).filter(
    ({ outcome, rule }) =>
      outcome === 'fail' || outcome === 'error' || (outcome === 'warn' && !variant.warns?.includes(rule)),
  );
  const unjudged = network.calm
    ? unjudgedIn(results).filter(({ rule }) => variant.unjudged !== 'any' && !variant.unjudged?.includes(rule))
    : [];
  return {
    part: 'variants',
    id,
    network: networkId,
    seed,
    verdict: verdictOf(results).verdict,
    falseAlarms: alarms.map((result) => `${result.id}: ${result.message}`),
    unjudged: unjudged.map((result) => `${result.id}: ${result.message}`),
    changed,
  };
}
