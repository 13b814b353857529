import { parentPort } from 'node:worker_threads';
import { laws } from '../../laws/index.ts';
import { judgeHistory } from '../../laws/judge-history.ts';
import { verdictOf } from '../../run/verdict.ts';
import { defects } from '../defects/index.ts';
import { legalVariants } from '../legal-variants/index.ts';
import { named } from '../trials/named.ts';
import { networkProfiles } from '../trials/network-profiles.ts';
import { findersIn, type TrialOptions, tryDefect, tryVariant, unjudgedIn } from '../trials/trial.ts';
import { Twin } from '../trials/twin.ts';
import { editRuns } from './edits.ts';
import { killedRun } from './killed-run.ts';
import type { DefectJob, DefectRun, Job, Result, VariantRun } from './parts.ts';

/** Does one job at a time. */
parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await done(job)));

async function done(job: Job): Promise<Result[]> {
  switch (job.part) {
    case 'defects':
      return inTurn(job.ids.flatMap((id) => job.seeds.map((seed) => () => defectRun(id, job, seed))));
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

async function defectRun(id: string, { probability, ownLaws }: DefectJob, seed: number): Promise<DefectRun> {
  const defect = named(defects, id);
  const judges = ownLaws ? laws.filter(({ rule }) => rule === defect.breaks) : laws;
  const judged = async (chosen: TrialOptions) => {
    const { history, reached, changed } = await tryDefect(defect, { probability, seed, ...chosen });
    const results = judgeHistory(history, { laws: judges });
    const own = findersIn(results).filter(({ rule, outcome }) => rule === defect.breaks && outcome !== 'error');
    const { verdict } = verdictOf(results, { allowNotRun: true });
    // What was found was met.
    const met = verdict === 'non-conformant' || (chosen.twin?.metIn(history).length ?? reached) > 0;
    return { results, own, reached, met, changed, verdict };
  };
  // Most defects are found by the situations that feed their rule. Only if one is not, a whole run follows.
  const narrow = await judged({ rules: new Set([defect.breaks]) });
  const found = probability === 1 ? narrow.own.length > 0 : narrow.verdict === 'non-conformant';
  const { results, ...run } = found ? narrow : await judged(probability === 1 ? {} : { twin: new Twin() });
  const others = findersIn(results).filter(({ rule, outcome }) => rule !== defect.breaks && outcome !== 'observed');
  return {
    part: 'defects',
    id,
    probability,
    seed,
    reached: run.reached,
    met: run.met,
    verdict: run.verdict,
    killedBy: run.own.map((result) => result.id),
    others: others.map((result) => result.id),
    changed: run.changed,
  };
}

async function variantRun(id: string, networkId: string, seed: number): Promise<VariantRun> {
  const variant = named(legalVariants, id);
  const network = named(networkProfiles, networkId);
  const { history, changed } = await tryVariant(variant, { seed, network });
  const results = judgeHistory(history);
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
