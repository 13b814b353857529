import { totalOf } from '../../spec/limiter/admission.ts';
import { describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import type { FlowPlan, LimitPlan, ScenarioPlan } from '../plan/scenario-plan.ts';
import { type Finding, judgeKey, type KeyVerdict } from './key-verdict.ts';
import type { RawRun } from './raw-run.ts';
import { sharedBucket } from './shared-bucket.ts';

type Outcome = 'keeps' | 'breaks' | 'cannot-tell';

export interface RunVerdict {
  readonly outcome: Outcome;
  /** The verdict in one sentence, from which a load tester can act. */
  readonly sentence: string;
  /** By rule, the worst of all keys. */
  readonly findings: readonly Finding[];
  readonly keys: readonly KeyVerdict[];
  /** Reasons not to trust the run. */
  readonly doubts: readonly string[];
}

interface JudgeRunOptions {
  /** Why the run itself did not go as planned, such as an interruption. */
  readonly doubts?: readonly string[];
}

/** Exit code of a verdict; 2 is for usage and configuration. */
export const exitCodes: Readonly<Record<Outcome, number>> = { keeps: 0, breaks: 1, 'cannot-tell': 3 };

/** The verdict on everything a run (or several machines' runs, merged) has recorded. A proven fault outweighs any doubt. */
export function judgeRun(run: RawRun, plan: ScenarioPlan, { doubts: given = [] }: JudgeRunOptions = {}): RunVerdict {
  const doubts = [...given];
  if (run.dropped > 0)
    doubts.push(`${run.dropped} requests could not be sent in time: this machine is too slow for the plan`);
  if (run.failures.length > 0.01 * run.requests)
    doubts.push(`${run.failures.length} of ${run.requests} requests got no answer`);
  if (run.keys.size === 0) doubts.push('nothing was sent');
  return plan.kind === 'flow' ? judgeFlow(run, plan, doubts, given) : judgeLimits(run, plan, doubts, given);
}

const about429: ReadonlySet<string> = new Set([
  'limiter/over-the-rate-is-429',
  'limiter/429-has-retry-after',
  'limiter/429-body-is-one-message',
]);

function judgeLimits(run: RawRun, plan: LimitPlan, doubts: string[], given: readonly string[]): RunVerdict {
  const keys = [...run.keys.values()]
    .sort((a, b) => a.position - b.position)
    .map((key) => judgeKey(key, { mustShow: plan.mustShow, outages: run.failures }));
  const doubted = new Set(doubts);
  for (const doubt of keys.flatMap(({ doubts: own }) => own)) {
    if (!doubted.has(doubt)) doubts.push(doubt);
    doubted.add(doubt);
  }
  const bucketFindings = ownBucketFindings(keys, plan);
  const all = [...keys.flatMap(({ findings }) => findings), ...bucketFindings];
  const looked = (finding: Finding) => plan.rules.some((rule) => rule === finding.rule) || finding.outcome === 'fail';
  // One throttled key shows the form of a 429; keys that were never throttled are no reason for doubt.
  const passed = new Set(all.filter(({ outcome }) => outcome === 'pass').map(({ rule }) => rule));
  const shown = ({ rule, outcome }: Finding) => outcome === 'inconclusive' && about429.has(rule) && passed.has(rule);
  const findings = worstByRule(all.filter((finding) => looked(finding) && !shown(finding)));
  const failed = all.filter(({ outcome }) => outcome === 'fail');
  for (const { outcome, seen } of findings) {
    // The envelope's own reason is among the keys' doubts already.
    if (outcome === 'inconclusive' && !seen.startsWith('cannot tell') && !doubts.includes(seen)) doubts.push(seen);
  }
  if (failed.length > 0) {
    const shared = bucketFindings.filter(({ outcome }) => outcome === 'fail');
    const sentence = shared.length > 0 ? shared.map(({ seen }) => seen).join('; ') : faults(keys, plan);
    return { outcome: 'breaks', sentence, findings, keys, doubts };
  }
  if (doubts.length > 0)
    return { outcome: 'cannot-tell', sentence: cannotTell(given.length > 0 ? given : doubts), findings, keys, doubts };
  return { outcome: 'keeps', sentence: keeps(keys, plan), findings, keys, doubts };
}

/** Doubts in one sentence; the first few, because every key of a fleet may have its own. */
function cannotTell(doubts: readonly string[]): string {
  const more = doubts.length > 3 ? ` (and ${doubts.length - 3} more)` : '';
  return `cannot tell: ${doubts.slice(0, 3).join('; ')}${more}`;
}

/** The faults of all keys: of one key each, of many how many and the worst. */
function faults(keys: readonly KeyVerdict[], plan: LimitPlan): string {
  const broken = keys.filter(({ findings }) => findings.some(({ outcome }) => outcome === 'fail'));
  // Findings about the purpose of the scenario come first; "too lax by N%" implies that nothing was throttled.
  const order = ({ rule }: Finding) => (plan.rules.some((each) => each === rule) ? 0 : 1);
  const faultsOf = ({ findings }: KeyVerdict) => {
    const failed = findings.filter(({ outcome }) => outcome === 'fail').sort((a, b) => order(a) - order(b));
    const telling = failed.filter(({ rule }) => rule !== 'limiter/over-the-rate-is-429');
    return [...new Set((telling.length > 0 ? telling : failed).map(({ seen }) => seen))].join('; ');
  };
  const size = ({ judgement }: KeyVerdict) => Math.abs(judgement.deviation ?? 0);
  const worst = [...broken].sort((a, b) => size(b) - size(a))[0];
  if (worst === undefined) return '';
  if (keys.length === 1) return faultsOf(worst);
  if (keys.length === 2) return broken.map((verdict) => `${verdict.key.label} ${faultsOf(verdict)}`).join('; ');
  return `${broken.length} of ${keys.length} keys break the contract, worst ${worst.key.label}: ${faultsOf(worst)}`;
}

function keeps(keys: readonly KeyVerdict[], plan: LimitPlan): string {
  const [first, second] = keys;
  if (first === undefined) return '';
  const throttledOf = ({ judgement: { counts } }: KeyVerdict) => `${counts.throttled} of ${totalOf(counts)}`;
  if (keys.length === 1) {
    const waited = first.findings.find(({ rule }) => rule === 'limiter/waiting-retry-after-suffices');
    if (waited !== undefined && first.judgement.measured.rate.best === undefined)
      return `${waited.seen}: keeps the contract`;
    // The bucket of a key that was never throttled cannot be measured, so the sentence says that nothing was throttled.
    const { admitted, throttled } = first.judgement.counts;
    return throttled === 0
      ? `admits all ${admitted} requests, none throttled: keeps the contract`
      : describeJudgement(first.judgement);
  }
  if (plan.keys === 'pair' && second !== undefined) {
    return `${first.key.label} overloaded (${throttledOf(first)} throttled), ${second.key.label} untouched (${throttledOf(second)} throttled): keeps the contract`;
  }
  const total = keys.reduce((sum, { judgement }) => sum + judgement.counts.admitted, 0);
  const throttled = keys.reduce((sum, { judgement }) => sum + judgement.counts.throttled, 0);
  const unknown = keys.reduce((sum, { judgement }) => sum + judgement.counts.unknown, 0);
  const lost = unknown > 0 ? ` (${unknown} without an answer)` : '';
  return `${keys.length} keys at once, ${total} requests admitted and ${throttled} throttled${lost}: every key keeps the contract`;
}

/** Whether keys are independent: shown by the one that is left alone while another is exhausted, or by a whole fleet. */
function ownBucketFindings(keys: readonly KeyVerdict[], plan: LimitPlan): Finding[] {
  const rule = 'limiter/own-bucket-per-key';
  if (!plan.rules.some((each) => each === rule) || keys.length < 2) return [];
  const shared = sharedBucket(keys);
  if (shared !== undefined) {
    const named =
      shared.keys.length > 3 ? `${shared.keys.length} keys` : shared.keys.map(({ key }) => key.label).join(' and ');
    const victim = shared.keys.at(-1);
    const { throttled = 0, admitted = 0 } = victim?.judgement.counts ?? {};
    const part = Math.round((100 * throttled) / Math.max(1, throttled + admitted));
    const seen = `${named} share one bucket: together they are admitted ${shared.together.toFixed(1)} rps, and ${part}% of the requests with ${victim?.key.label} were throttled: breaks ${rule}`;
    return [{ rule, outcome: 'fail', seen }];
  }
  const [first, second] = keys;
  if (plan.keys !== 'pair' || first === undefined || second === undefined) {
    const strict = keys.some(({ judgement }) => judgement.verdict === 'too-strict');
    return [
      { rule, outcome: strict ? 'inconclusive' : 'pass', seen: `${keys.length} keys were used at the same time` },
    ];
  }
  const exhausted = first.judgement.counts.throttled > 0;
  const untouched = second.judgement.counts.throttled === 0 && second.judgement.counts.admitted > 0;
  const seen = `${first.key.label} was throttled ${first.judgement.counts.throttled} times, ${second.key.label} ${second.judgement.counts.throttled} times`;
  return [{ rule, outcome: exhausted && untouched ? 'pass' : 'inconclusive', seen }];
}

function judgeFlow(run: RawRun, { name, rules }: FlowPlan, doubts: string[], given: readonly string[]): RunVerdict {
  const findings = rules.map((rule): Finding => {
    const tally = run.rules.get(rule);
    if (tally === undefined || tally.checked === 0)
      return { rule, outcome: 'inconclusive', seen: `${rule} was never checked` };
    if (tally.broken === 0) return { rule, outcome: 'pass', seen: `${tally.checked} times` };
    const [[seen] = ['']] = [...tally.seen].sort(([, a], [, b]) => b - a);
    return { rule, outcome: 'fail', seen: `${tally.broken} of ${tally.checked} times ${seen}: breaks ${rule}` };
  });
  const undecided = [...run.undecided.values()].reduce((a, b) => a + b, 0);
  for (const [seen, times] of run.undecided) doubts.push(`${times} requests: ${seen}`);
  for (const { started, ended, label } of run.keys.values())
    if (ended < started) doubts.push(`${label} was not driven to its end`);
  for (const { outcome, seen } of findings) if (outcome === 'inconclusive') doubts.push(seen);
  const failed = findings.filter(({ outcome }) => outcome === 'fail');
  if (failed.length > 0) {
    return { outcome: 'breaks', sentence: failed.map(({ seen }) => seen).join('; '), findings, keys: [], doubts };
  }
  if (doubts.length > 0)
    return {
      outcome: 'cannot-tell',
      sentence: cannotTell(given.length > 0 ? given : doubts),
      findings,
      keys: [],
      doubts,
    };
  const checks = [...run.rules.values()].reduce((sum, { checked }) => sum + checked, 0);
  const sentence = `${name}: ${run.requests - undecided} requests, ${checks} checks, none failed: keeps the contract`;
  return { outcome: 'keeps', sentence, findings, keys: [], doubts };
}

const severity: Readonly<Record<Finding['outcome'], number>> = { fail: 3, inconclusive: 2, observed: 1, pass: 0 };

function worstByRule(findings: readonly Finding[]): readonly Finding[] {
  const worst = new Map<string, Finding>();
  for (const finding of findings) {
    const worstSoFar = worst.get(finding.rule);
    if (worstSoFar === undefined || severity[finding.outcome] > severity[worstSoFar.outcome])
      worst.set(finding.rule, finding);
  }
  return [...worst.values()];
}
