import { describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import { judge } from '../../spec/limiter/judge.ts';
import { admissionOf, totalOf } from '../../spec/limiter/observation.ts';
import { type FlowPlan, form429, type LimitPlan, type ScenarioPlan } from '../scenarios.ts';
import { type Finding, judgeKey, type KeyVerdict, tolerableLoss } from './key-verdict.ts';
import { createRawKey, outagesOf, type RawRun, type Reason, widened } from './recording.ts';

type Outcome = 'keeps' | 'breaks' | 'cannot-tell';

export type RunVerdict = ReturnType<typeof judgeRun>;

/** Exit code of a verdict; 2 is for usage and configuration. */
export const exitCodes: Readonly<Record<Outcome, number>> = { keeps: 0, breaks: 1, 'cannot-tell': 3 };

/**
 * The verdict on everything that was recorded of a run. A proven fault outweighs any doubt.
 * @param ended why the run did not go as planned, where the recording does not say it
 */
export function judgeRun(run: RawRun, plan: ScenarioPlan, ended: readonly Reason[] = []) {
  const planned = [...run.stopped, ...ended];
  const doubts = [...planned];
  const doubt = (code: string, text: string) => {
    if (!doubts.some((known) => known.text === text)) doubts.push({ code, text });
  };
  if (run.dropped > 0)
    doubt(
      'cannot-send-in-time',
      `${run.dropped} requests could not be sent in time: this machine is too slow for the plan`,
    );
  const outages = outagesOf(run);
  if (outages.length > tolerableLoss * run.requests.length)
    doubt('no-answer', `${outages.length} of ${run.requests.length} requests got no answer`);
  if (run.keys.size === 0) doubt('nothing-sent', 'nothing was sent');
  const ordered = [...run.keys.values()].sort((a, b) => a.position - b.position);
  const keys = plan.kind === 'flow' ? [] : ordered.map((key) => judgeKey(key, plan.mustShow, outages));
  for (const { code, text } of keys.flatMap(({ doubts: own }) => own)) doubt(code, text);
  const { all, findings } = plan.kind === 'flow' ? flowFindings(run, plan, doubt) : limitFindings(keys, plan);
  for (const { outcome, seen } of findings) if (outcome === 'inconclusive') doubt('not-shown', seen);

  const faults = all.filter(({ outcome }) => outcome === 'fail');
  // Of a run that was stopped, what it could not show says nothing.
  const trusted = planned.length > 0 ? doubts.filter(({ code }) => !/^(not-shown|cut-short)$/.test(code)) : doubts;
  const judged = (outcome: Outcome, sentence: string, reasons: readonly Reason[]) => ({
    outcome,
    sentence,
    reasons,
    findings,
    keys,
  });
  if (faults.length > 0) {
    const reasons = faults.map(({ rule, seen, code = rule }) => ({ code, text: seen }));
    return judged('breaks', faultSentence(keys, plan, faults), [...reasons, ...doubts]);
  }
  if (doubts.length > 0) return judged('cannot-tell', doubtSentence(planned.length > 0 ? planned : doubts), trusted);
  return judged('keeps', keepsSentence(run, keys, plan), []);
}

const isOf = ({ rules }: ScenarioPlan, { rule }: Finding) => rules.includes(rule);

function limitFindings(keys: readonly KeyVerdict[], plan: LimitPlan) {
  const all = [...keys.flatMap(({ findings }) => findings), ...ownBucketFindings(keys, plan)];
  // One throttled key shows the form of a 429; keys that were never throttled are no reason for doubt.
  const passed = new Set(all.filter(({ outcome }) => outcome === 'pass').map(({ rule }) => rule));
  const isShown = ({ rule, outcome }: Finding) =>
    outcome === 'inconclusive' && passed.has(rule) && form429.some((one) => one === rule);
  const looked = all.filter((finding) => isOf(plan, finding) || finding.outcome === 'fail');
  return { all, findings: worstByRule(looked.filter((finding) => !isShown(finding))) };
}

function flowFindings(run: RawRun, { rules }: FlowPlan, doubt: (code: string, text: string) => void) {
  for (const [seen, times] of run.undecided) doubt('undecided', `${times} requests: ${seen}`);
  for (const { started, ended, label } of run.keys.values())
    if (ended < started) doubt('cut-short', `${label} was not driven to its end`);
  const findings = rules.map((rule): Finding => {
    const tally = run.rules.get(rule);
    if (tally === undefined) return { rule, outcome: 'inconclusive', seen: `${rule} was never checked` };
    if (tally.broken === 0) return { rule, outcome: 'pass', seen: `${tally.checked} times` };
    const [[seen] = ['']] = [...tally.seen].sort(([, a], [, b]) => b - a);
    return { rule, outcome: 'fail', seen: `${tally.broken} of ${tally.checked} times ${seen}: breaks ${rule}` };
  });
  return { all: findings, findings };
}

/** Doubts in one sentence; the first few, because every key of a fleet may have its own. */
function doubtSentence(doubts: readonly Reason[]): string {
  const first = doubts.slice(0, 3).map(({ text }) => text);
  return `${first.join('; ')}${doubts.length > 3 ? ` (and ${doubts.length - 3} more)` : ''}`;
}

/** The faults of all keys: of one or two each, of many how many and the worst. */
function faultSentence(keys: readonly KeyVerdict[], plan: ScenarioPlan, faults: readonly Finding[]): string {
  const together = faults.filter(({ rule }) => plan.kind === 'flow' || rule === ownBucket);
  if (together.length > 0) return together.map(({ seen }) => seen).join('; ');
  // Findings about the purpose of the scenario come first; "too lax by N%" implies that nothing was throttled.
  const faultsOf = ({ findings }: KeyVerdict) => {
    const failed = findings.filter(({ outcome }) => outcome === 'fail');
    const sorted = failed.sort((a, b) => Number(isOf(plan, b)) - Number(isOf(plan, a)));
    const telling = sorted.filter(({ rule }) => rule !== 'limiter/over-the-rate-is-429');
    return [...new Set((telling.length > 0 ? telling : sorted).map(({ seen }) => seen))].join('; ');
  };
  const size = ({ judgement }: KeyVerdict) => Math.abs(judgement.deviation ?? 0);
  const broken = keys.filter((key) => faultsOf(key) !== '').sort((a, b) => size(b) - size(a));
  const texts = broken.map((verdict) => (keys.length > 1 ? `${verdict.key.label} ` : '') + faultsOf(verdict));
  return keys.length <= 2
    ? texts.join('; ')
    : `${broken.length} of ${keys.length} keys break the contract, worst ${texts[0]}`;
}

function keepsSentence(run: RawRun, keys: readonly KeyVerdict[], plan: ScenarioPlan): string {
  const [first, second] = keys;
  if (plan.kind === 'flow' || first === undefined) {
    const checks = [...run.rules.values()].reduce((sum, { checked }) => sum + checked, 0);
    return `${plan.name}: ${run.requests.length} requests, ${checks} checks, none failed: keeps the contract`;
  }
  const throttledOf = ({ judgement: { counts } }: KeyVerdict) => `${counts.throttled} of ${totalOf(counts)}`;
  if (plan.keys === 'pair' && second !== undefined)
    return `${first.key.label} overloaded (${throttledOf(first)} throttled), ${second.key.label} untouched (${throttledOf(second)} throttled): keeps the contract`;
  const sum = (what: 'admitted' | 'throttled') => keys.reduce((all, { judgement }) => all + judgement.counts[what], 0);
  if (second !== undefined)
    return `${keys.length} keys at once, ${sum('admitted')} requests admitted and ${sum('throttled')} throttled: every key keeps the contract`;
  const waited = first.findings.find(({ rule }) => rule === 'limiter/waiting-retry-after-suffices');
  if (waited !== undefined && first.judgement.measured.rate.best === undefined)
    return `${waited.seen}: keeps the contract`;
  // The bucket of a key that was never throttled cannot be measured, so the sentence says that nothing was throttled.
  return sum('throttled') === 0
    ? `admits all ${sum('admitted')} requests, none throttled: keeps the contract`
    : describeJudgement(first.judgement);
}

const ownBucket = 'limiter/own-bucket-per-key';

/** Whether keys are independent: shown by the one that is left alone while another is exhausted, or by a whole fleet. */
function ownBucketFindings(keys: readonly KeyVerdict[], plan: LimitPlan): Finding[] {
  const rule = ownBucket;
  const [first, second] = keys;
  if (!plan.rules.includes(rule) || first === undefined || second === undefined) return [];
  const strict = keys.filter(({ judgement }) => judgement.verdict === 'too-strict');
  // The overloaded key of a pair may stay within its own envelope: only that the other one suffers shows that its requests cost
  // it something. Of a fleet only those that suffer are suspects.
  const suspects = keys.length > 2 ? strict : strict.some(({ key }) => key.position === 1) ? keys : [];
  const together = suspects.length < 2 ? undefined : admittedTogether(suspects);
  if (together !== undefined) {
    const names = suspects.length > 3 ? `${suspects.length} keys` : suspects.map(({ key }) => key.label).join(' and ');
    const { key, judgement } = suspects.at(-1) ?? second;
    const part = Math.round((100 * judgement.counts.throttled) / Math.max(1, totalOf(judgement.counts)));
    const seen = `${names} share one bucket: together they are admitted ${together.toFixed(1)} rps, and ${part}% of the requests with ${key.label} were throttled: breaks ${rule}`;
    return [{ rule, outcome: 'fail', seen, code: 'shared-bucket' }];
  }
  const found = (isShown: boolean, seen: string): Finding[] => [
    { rule, outcome: isShown ? 'pass' : 'inconclusive', seen },
  ];
  if (plan.keys !== 'pair') return found(strict.length === 0, `${keys.length} keys were used at the same time`);
  const [one, other] = [first.judgement.counts, second.judgement.counts];
  const seen = `${first.key.label} was throttled ${one.throttled} times, ${second.key.label} ${other.throttled} times`;
  return found(one.throttled > 0 && other.throttled === 0 && other.admitted > 0, seen);
}

/** How many per second keys are admitted together, where that is no more than one key alone may be: then they share a bucket. */
function admittedTogether(suspects: readonly KeyVerdict[]): number | undefined {
  const { limit } = suspects[0]?.key ?? createRawKey('');
  const samples = suspects.flatMap(({ key }) => widened(key.samples, key.withinMs));
  if (judge(limit, samples, { mustShow: {} }).verdict === 'too-lax') return undefined;
  const times = samples.map(({ sentAt }) => sentAt).sort((a, b) => a - b);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  const admitted = samples.filter(({ status }) => admissionOf(status) === 'admitted').length;
  return Math.max(0, admitted - limit.burst) / Math.max(1, seconds);
}

const severity: Readonly<Record<Finding['outcome'], number>> = { fail: 3, inconclusive: 2, observed: 1, pass: 0 };

const worstByRule = (findings: readonly Finding[]): readonly Finding[] =>
  [...Map.groupBy(findings, ({ rule }) => rule).values()].map((same) =>
    same.reduce((worst, one) => (severity[one.outcome] > severity[worst.outcome] ? one : worst)),
  );
