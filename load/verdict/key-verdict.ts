import { admissionOf, totalOf } from '../../spec/limiter/admission.ts';
import { brokenRules } from '../../spec/limiter/broken-rules.ts';
import { describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import { type Deviations, type Judgement, judge } from '../../spec/limiter/judge.ts';
import { judgeRetryAfter } from '../../spec/limiter/judge-retry-after.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import { requestTimeoutMs } from '../plan/request-timeout.ts';
import type { Outage, RawKey, Tally } from './raw-run.ts';

/** The outcome of one rule, for one key or for all. */
export interface Finding {
  readonly rule: string;
  readonly outcome: 'pass' | 'fail' | 'inconclusive' | 'observed';
  /** What was seen, as a sentence or a part of one. */
  readonly seen: string;
}

export interface KeyVerdict {
  readonly key: RawKey;
  readonly judgement: Judgement;
  readonly findings: readonly Finding[];
  /** Why the samples of this key prove nothing, where no rule is broken. */
  readonly doubts: readonly string[];
}

interface JudgeKeyOptions {
  readonly mustShow: Deviations;
  /** When requests of any key got no answer: a limiter that was restarted then has forgotten what it admitted. */
  readonly outages: readonly Outage[];
}

/** Beyond this part of the requests without a usable answer a run tells nothing, whatever the rest says. */
const tolerableLoss = 0.01;

/** What the samples of one key prove, and what its 429s looked like. */
export function judgeKey(key: RawKey, { mustShow, outages }: JudgeKeyOptions): KeyVerdict {
  const cutShort = key.ended < key.started;
  const samples = cutShort ? withoutTail(key.samples) : key.samples;
  const overall = judge(key.limit, samples, { mustShow });
  const judgement =
    overall.verdict === 'too-lax' && outages.length > 0 ? acrossRestarts(overall, samples, key, outages) : overall;
  const { counts } = judgement;
  const doubts: string[] = [];
  if (cutShort) doubts.push(`${key.label} was not driven to its end`);
  const all = totalOf(counts);
  // Where nobody answered, the run says so for all keys.
  if (counts.unknown > tolerableLoss * all && counts.unknown > outages.length)
    doubts.push(`${counts.unknown} of ${all} requests with ${key.label} got no usable answer`);
  if (judgement.verdict === 'inconclusive') doubts.push(judgement.reason);
  return {
    key,
    judgement,
    findings: [...envelopeFindings(judgement), ...formFindings(key, counts.throttled), ...retryFindings(key)],
    doubts,
  };
}

/** A killed k6 may not have written its last answers, which could explain a 429 of the last seconds; such a 429 proves nothing. */
function withoutTail<S extends Observation>(samples: readonly S[]): readonly S[] {
  const last = samples.reduce((latest, { doneAt }) => Math.max(latest, doneAt), 0);
  return samples.filter(
    ({ status, doneAt }) => admissionOf(status) !== 'throttled' || doneAt < last - requestTimeoutMs - 1000,
  );
}

/** A restarted limiter starts full again, which is no fault: what is too lax must be so between two outages. */
function acrossRestarts(
  whole: Judgement,
  samples: readonly Observation[],
  { limit, withinMs }: RawKey,
  outages: readonly Outage[],
): Judgement {
  const around = [...outages]
    .sort((a, b) => a.to - b.to)
    .map(({ from, to }) => ({ from: from - withinMs, to: to + withinMs }));
  const parts = new Map<number, Observation[]>();
  for (const sample of samples) {
    if (admissionOf(sample.status) === 'unknown') continue;
    const part = around.findIndex(({ to }) => to >= sample.doneAt);
    // Before or after the outage: with clocks that differ nobody knows, and what was not admitted is never too much.
    if (around.some(({ from, to }) => from < sample.doneAt && sample.doneAt < to)) continue;
    const list = parts.get(part) ?? [];
    parts.set(part, list);
    list.push(sample);
  }
  for (const part of parts.values()) {
    const judgement = judge(limit, part, { startedFull: false, mustShow: {} });
    if (judgement.verdict === 'too-lax') return judgement;
  }
  const reason = `more was admitted than one bucket allows, but ${outages.length} requests got no answer: a limiter that was restarted has forgotten what it admitted`;
  const { tooLax: _, deviation: __, ...rest } = whole;
  return { ...rest, verdict: 'inconclusive', reason, off: { rate: 0, burst: 0 } };
}

const about429 = (rule: string) => rule === 'limiter/over-the-rate-is-429';

function envelopeFindings(judgement: Judgement): Finding[] {
  const { verdict, measured, counts } = judgement;
  const seen = describeJudgement(judgement);
  const broken = brokenRules(judgement);
  const findings = broken.map(
    (rule): Finding => ({ rule, outcome: 'fail', seen: about429(rule) ? (judgement.kind?.says ?? seen) : seen }),
  );
  if (verdict === 'pass' || verdict === 'inconclusive') {
    const outcome = verdict === 'pass' ? 'pass' : 'inconclusive';
    for (const rule of ['limiter/steady-rate', 'limiter/burst', 'limiter/clustering-gains-nothing'])
      findings.push({ rule, outcome, seen });
  }
  const { low, high, best } = measured.burst;
  if (high < Number.POSITIVE_INFINITY) {
    const size = best ?? `${Math.floor(low)} to ${Math.ceil(high)}`;
    findings.push({ rule: 'limiter/burst-reading', outcome: 'observed', seen: `the bucket holds ${size}` });
  } else findings.push({ rule: 'limiter/burst-reading', outcome: 'observed', seen: 'not measured' });
  if (!broken.some(about429)) {
    const outcome = counts.throttled > 0 ? 'pass' : 'inconclusive';
    findings.push({
      rule: 'limiter/over-the-rate-is-429',
      outcome,
      seen: `${counts.throttled} requests answered with 429`,
    });
  }
  return findings;
}

function formFindings({ malformed, doubtful }: RawKey, throttled: number): Finding[] {
  return ['limiter/429-has-retry-after', 'limiter/429-body-is-one-message'].map((rule): Finding => {
    const [wrong, odd] = [mostSeen(malformed.get(rule)), mostSeen(doubtful.get(rule))];
    if (wrong !== undefined) return { rule, outcome: 'fail', seen: `${wrong}: breaks ${rule}` };
    const seen = odd ?? `${throttled} replies 429, all well-formed`;
    return { rule, outcome: throttled > 0 ? 'pass' : 'inconclusive', seen };
  });
}

function mostSeen(tally: Tally | undefined): string | undefined {
  const [most] = [...(tally ?? [])].sort(([, a], [, b]) => b - a);
  return most && `${most[1]} replies 429 have ${most[0]}`;
}

function retryFindings({ samples, retries, limit }: RawKey): Finding[] {
  const rule = 'limiter/waiting-retry-after-suffices';
  const judged = [...retries].flatMap(([trial, value]) => {
    const throttled = samples.findLast(
      (sample) => sample.trial === trial && sample.phase === 'ask' && admissionOf(sample.status) === 'throttled',
    );
    const retry = samples.find((sample) => sample.trial === trial && sample.phase === 'retry');
    if (throttled === undefined) return [];
    // Only the retry of this trial counts: later volleys are throttled rightly.
    const others = samples.filter(
      (sample) => sample === retry || (sample !== throttled && sample.doneAt <= throttled.doneAt),
    );
    return [judgeRetryAfter({ value, throttled, others, limit })];
  });
  if (judged.length === 0) return [];
  const broken = judged.filter(({ verdict }) => verdict === 'broken');
  const passed = judged.filter(({ verdict }) => verdict === 'pass').length;
  if (broken[0] !== undefined) {
    return [
      {
        rule,
        outcome: 'fail',
        seen: `${broken[0].reason} (${broken.length} of ${judged.length} times): breaks ${rule}`,
      },
    ];
  }
  const seen = judged.find(({ verdict }) => verdict !== 'pass')?.reason ?? judged[0]?.reason ?? '';
  return [{ rule, outcome: passed === judged.length ? 'pass' : 'inconclusive', seen }];
}
