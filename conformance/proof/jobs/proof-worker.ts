import { parentPort } from 'node:worker_threads';
import { defects } from '../../../mock/wrong/defects/index.ts';
import { legalVariants } from '../../../mock/wrong/habits/index.ts';
import { type RuleId, ruleById } from '../../../spec/rules.ts';
import { judgeHistory } from '../../verdict/judge.ts';
import { sealed, strangers } from '../strangers/index.ts';
import { findersIn, type Honest, named, networkProfiles, tryDefect, tryVariant, unjudgedIn } from '../trials/trial.ts';
import { killedRun } from './killed-run.ts';

/** What the proof found out about a defect, from the best to the worst. */
export const fates = ['found by its own rule', 'found', 'unclear', 'missed'] as const;
type Fate = (typeof fates)[number];

/** One trial that a single worker can do. */
export type Job =
  | {
      readonly part: 'defects';
      readonly id: string;
      readonly network: string;
      readonly seed: number;
      readonly probability: number;
      /** Runs in all, until the defect is found. */
      readonly repeat: number;
    }
  | { readonly part: 'variants'; readonly id: string; readonly network: string; readonly seed: number }
  | { readonly part: 'killed-runs'; readonly at: number };

type Of<Part extends Job['part']> = Extract<Job, { part: Part }>;

export interface DefectRun extends Of<'defects'> {
  readonly fate: Fate;
  /** How often the defect changed something. */
  readonly reached: number;
  /** Laws that found something. */
  readonly foundBy: readonly string[];
  /** Labels that differ from the state before the run. */
  readonly changed: readonly string[];
}

export interface VariantRun extends Of<'variants'> {
  /** `law: message`. */
  readonly falseAlarms: readonly string[];
  /** Documented musts that could not be judged, though the network was calm. */
  readonly unclear: readonly string[];
  readonly changed: readonly string[];
}

/** A run that was killed after this many requests and cleaned up. */
export interface KilledRun extends Of<'killed-runs'> {
  /** Differences from the state before the run. */
  readonly changed: readonly string[];
}

export type Result = DefectRun | VariantRun | KilledRun;

/** Does one job at a time. */
parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await done(job)));

async function done(job: Job): Promise<Result> {
  if (job.part === 'defects') return defectRun(job);
  return job.part === 'variants' ? variantRun(job) : { ...job, changed: await killedRun(job.at) };
}

async function defectRun(job: Extract<Job, { part: 'defects' }>): Promise<DefectRun> {
  const defect = named(defects, job.id);
  const network = named(networkProfiles, job.network);
  const { probability } = job;
  const once = async (seed: number, rules?: ReadonlySet<RuleId>): Promise<DefectRun> => {
    const options = { probability, seed, network, ...(rules && { rules }) };
    const { history, reached, changed } = await tryDefect(defect, options);
    const results = judgeHistory(history);
    const found = findersIn(results).filter(({ outcome }) => outcome !== 'error');
    const isOpen = unjudgedIn(results).some(({ outcome }) => outcome === 'inconclusive');
    const fate = (): Fate => {
      if (found.some(({ rule }) => rule === defect.breaks)) return 'found by its own rule';
      if (found.some(({ outcome }) => outcome === 'fail')) return 'found';
      return isOpen || ruleById(defect.breaks).level !== 'must' ? 'unclear' : 'missed';
    };
    return { ...job, fate: fate(), reached, foundBy: found.map(({ id }) => id), changed };
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
  const variant = named<Honest>([...legalVariants, ...strangers, ...sealed], job.id);
  const network = named(networkProfiles, job.network);
  const { history, changed } = await tryVariant(variant, { seed: job.seed, network });
  const results = judgeHistory(history);
  const isNamed = (rules: readonly RuleId[] | 'any' | undefined, rule: RuleId) =>
    rules === 'any' || rules?.includes(rule) === true;
  const alarms = findersIn(results).filter(
    ({ outcome, rule }) => outcome !== 'observed' && !(outcome === 'warn' && isNamed(variant.warns, rule)),
  );
  const isCalm = network.calm && variant.network === undefined;
  const unclear = isCalm ? unjudgedIn(results).filter(({ rule }) => !isNamed(variant.unjudged, rule)) : [];
  const said = (those: typeof results) => those.map(({ id, message }) => `${id}: ${message}`);
  // What others change is not the run's, and what a deployment prevents is named by the run.
  const isLeft = !variant.isShared && history.left.length === 0;
  return { ...job, falseAlarms: said(alarms), unclear: said(unclear), changed: isLeft ? changed : [] };
}
