import { parentPort } from 'node:worker_threads';
import { verdictOf } from '../run/verdict.ts';
import { defects } from './defects/index.ts';
import { editRuns } from './edits.ts';
import { killedRun } from './killed-run.ts';
import { legalVariants } from './legal-variants/index.ts';
import { named } from './named.ts';
import { networkProfiles } from './network-profiles.ts';
import type { DefectRun, Job, Result, VariantRun } from './parts.ts';
import { findersIn, tryDefect, tryVariant, unjudgedIn } from './trial.ts';

/** One job after the other, as they come. */
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
  // What is always wrong shows in the situations that feed its rule; what is wrong now and then is met anywhere.
  const rules = probability === 1 ? { rules: new Set([defect.breaks]) } : {};
  const { results, reached, changed } = await tryDefect(defect, { probability, seed, ...rules });
  const found = findersIn(results);
  const own = found.filter(({ rule, outcome }) => rule === defect.breaks && outcome !== 'error');
  const { verdict } = verdictOf(results, { allowNotRun: true });
  const others = found.filter(({ rule, outcome }) => rule !== defect.breaks && outcome !== 'observed');
  return {
    part: 'defects',
    id,
    probability,
    seed,
    reached,
    verdict,
    killedBy: own.map((result) => result.id),
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
