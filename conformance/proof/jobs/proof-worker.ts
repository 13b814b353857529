import { parentPort } from 'node:worker_threads';
import { defects } from '../../../mock/wrong/defects/index.ts';
import { legalVariants } from '../../../mock/wrong/habits/index.ts';
import { type RuleId, ruleById } from '../../../spec/rules.ts';
import { judgeHistory } from '../../verdict/judge.ts';
import { sealed, strangers } from '../strangers/index.ts';
import { findersIn, type Honest, named, networkProfiles, tryDefect, tryVariant, unjudgedIn } from '../trials/trial.ts';
import { killedRun } from './killed-run.ts';

/** What a single worker does: a run, or several until a defect is found. */
export interface Job {
  readonly part: 'defects' | 'variants' | 'killed-runs';
  /** Of the defect or the honest deployment; of a killed run, the number of its last request. */
  readonly id: string;
  readonly network: string;
  readonly seed: number;
  readonly probability: number;
  /** Runs in all, until the defect is found. */
  readonly repeat: number;
}

/** What may come out of each part, from the best to the worst. */
export const fates = {
  defects: ['found by its own rule', 'found', 'unclear', 'missed'],
  variants: ['right', 'unclear', 'a false alarm'],
  'killed-runs': ['right'],
} as const satisfies Readonly<Record<Job['part'], readonly string[]>>;

export interface Result extends Job {
  readonly fate: (typeof fates)[Job['part']][number];
  /** Laws that found the defect; false alarms and rules that stayed unclear, in words. */
  readonly said: readonly string[];
  /** What differs from the state before the run. */
  readonly changed: readonly string[];
}

/** Does one job at a time. */
parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await done(job)));

async function done(job: Job): Promise<Result> {
  if (job.part === 'defects') return defectRun(job);
  if (job.part === 'variants') return variantRun(job);
  return { ...job, fate: 'right', said: [], changed: await killedRun(Number(job.id)) };
}

async function defectRun(job: Job): Promise<Result> {
  const defect = named(defects, job.id);
  const network = named(networkProfiles, job.network);
  const { probability } = job;
  const once = async (seed: number, rules?: ReadonlySet<RuleId>): Promise<Result> => {
    const options = { probability, seed, network, ...(rules && { rules }) };
    const { history, reached, changed } = await tryDefect(defect, options);
    const results = judgeHistory(history);
    const found = findersIn(results).filter(({ outcome }) => outcome !== 'error');
    const isOpen = unjudgedIn(results).some(({ outcome }) => outcome === 'inconclusive');
    const fate = (): Result['fate'] => {
      if (found.some(({ rule }) => rule === defect.rule)) return 'found by its own rule';
      if (found.some(({ outcome }) => outcome === 'fail')) return 'found';
      return isOpen || ruleById(defect.rule).level !== 'must' ? 'unclear' : 'missed';
    };
    const said = [...(reached === 0 ? ['(never reached)'] : []), ...found.map(({ id }) => id)];
    return { ...job, fate: fate(), said, changed };
  };
  const rank = ({ fate }: Result) => fates.defects.indexOf(fate as 'found');
  // Most defects are found by the scripts that try their rule. Only where one is not, whole runs follow.
  let best = await once(job.seed, new Set([defect.rule]));
  for (let run = 0; run < job.repeat && rank(best) > 0; run++) {
    const whole = await once(job.seed + run);
    if (run === 0 || rank(whole) < rank(best)) best = whole;
  }
  return best;
}

async function variantRun(job: Job): Promise<Result> {
  const variant = named<Honest>([...legalVariants, ...strangers, ...sealed], job.id);
  const network = named(networkProfiles, job.network);
  const { history, changed } = await tryVariant(variant, { seed: job.seed, network });
  const results = judgeHistory(history);
  const isNamed = (rules: readonly RuleId[] | 'any' | undefined, rule: RuleId) =>
    rules === 'any' || rules?.includes(rule) === true;
  const alarms = findersIn(results).filter(
    ({ outcome, rule }) => outcome !== 'observed' && !(outcome === 'warn' && isNamed(variant.warns, rule)),
  );
  // Documented musts have to be judged where the network is calm.
  const isCalm = network.calm && variant.network === undefined;
  const unclear = isCalm ? unjudgedIn(results).filter(({ rule }) => !isNamed(variant.unjudged, rule)) : [];
  // What others change is not the run's, and what a deployment prevents is named by the run.
  const isLeft = !variant.isShared && history.left.length === 0;
  return {
    ...job,
    fate: alarms.length > 0 ? 'a false alarm' : unclear.length > 0 ? 'unclear' : 'right',
    said: [...alarms, ...unclear].map(({ id, message }) => `${id}: ${message}`),
    changed: isLeft ? changed : [],
  };
}
