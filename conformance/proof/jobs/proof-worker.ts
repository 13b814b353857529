import { parentPort } from 'node:worker_threads';
import { type RuleId, ruleById } from '../../../spec/rules.ts';
import { judgeHistory } from '../../verdict/judge-history.ts';
import { defects } from '../defects/index.ts';
import { legalVariants } from '../legal-variants/index.ts';
import { named } from '../trials/named.ts';
import { networkProfiles } from '../trials/network-profiles.ts';
import { findersIn, tryDefect, tryVariant, unjudgedIn } from '../trials/trial.ts';
import { killedRun } from './killed-run.ts';
import { type DefectRun, type Fate, fates, type Job, type Result, type VariantRun } from './parts.ts';

/** Does one job at a time. */
parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await done(job)));

async function done(job: Job): Promise<Result> {
  if (job.part === 'defects') return defectRun(job);
  return job.part === 'variants' ? variantRun(job) : { ...job, changed: await killedRun(job.at) };
}

async function defectRun(job: Extract<Job, { part: 'defects' }>): Promise<DefectRun> {
  const defect = named(defects, job.id);
  const network = named(networkProfiles, job.network);
  const once = async (seed: number, rules?: ReadonlySet<RuleId>): Promise<DefectRun> => {
    const { probability } = job;
    const { history, reached, changed } = await tryDefect(defect, {
      probability,
      seed,
      network,
      ...(rules && { rules }),
    });
    const results = judgeHistory(history);
    const found = findersIn(results).filter(({ outcome }) => outcome !== 'error');
    const own = found.some(({ rule }) => rule === defect.breaks);
    const open = unjudgedIn(results).some(({ outcome }) => outcome === 'inconclusive');
    const fate: Fate = own
      ? 'found by its own rule'
      : found.some(({ outcome }) => outcome === 'fail')
        ? 'found'
        : open || ruleById(defect.breaks).level !== 'must'
          ? 'unclear'
          : 'missed';
    return { ...job, fate, reached, foundBy: found.map(({ id }) => id), changed };
  };
  // Most defects are found by the scripts that try their rule. Only where one is not, whole runs follow.
  let best = await once(job.seed, new Set([defect.breaks]));
  for (let run = 0; run < job.repeat && best.fate !== 'found by its own rule'; run++) {
    const whole = await once(job.seed + run);
    if (run === 0 || fates.indexOf(whole.fate) < fates.indexOf(best.fate)) best = whole;
  }
  return best;
}

async function variantRun(job: Extract<Job, { part: 'variants' }>): Promise<VariantRun> {
  const variant = named(legalVariants, job.id);
  const network = named(networkProfiles, job.network);
  const { history, changed } = await tryVariant(variant, { seed: job.seed, network });
  const results = judgeHistory(history);
  const alarms = findersIn(results).filter(
    ({ outcome, rule }) => outcome !== 'observed' && !(outcome === 'warn' && variant.warns?.includes(rule)),
  );
  const unclear = network.calm
    ? unjudgedIn(results).filter(({ rule }) => variant.unjudged !== 'any' && !variant.unjudged?.includes(rule))
    : [];
  const said = (those: typeof results) => those.map(({ id, message }) => `${id}: ${message}`);
  return { ...job, falseAlarms: said(alarms), unclear: said(unclear), changed };
}
