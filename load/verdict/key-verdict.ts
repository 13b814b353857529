import type { RuleId } from '../../spec/generated/rules.ts';
import { brokenRules, describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import { type Deviations, type Judgement, judge } from '../../spec/limiter/judge.ts';
import { admissionOf, type Observation, totalOf } from '../../spec/limiter/observation.ts';
import { judgeRetryAfter } from '../../spec/limiter/throttled-reply.ts';
import { requestTimeoutMs } from '../run-file.ts';
import type { Outage, RawKey, Reason } from './recording.ts';

/** The outcome of one rule, for one key or for all. */
export interface Finding {
  readonly rule: RuleId;
  readonly outcome: 'pass' | 'fail' | 'inconclusive' | 'observed';
  /** What was seen, as a sentence or a part of one. */
  readonly seen: string;
  /** Of a failure; by default its rule. */
  readonly code?: string;
}

export type KeyVerdict = ReturnType<typeof judgeKey>;

/** Beyond this part of the requests without a usable answer a run tells nothing, whatever the rest says. */
export const tolerableLoss = 0.01;

/**
 * What the samples of one key prove, and what its 429s looked like.
 * @param outages when requests of any key got no answer: a limiter that was restarted then has forgotten what it admitted
 */
export function judgeKey(key: RawKey, mustShow: Deviations, outages: readonly Outage[]) {
  const isCutShort = key.ended < key.started;
  const samples = isCutShort ? withoutTail(key.samples) : key.samples;
  const overall = judge(key.limit, samples, { ...key.judging, mustShow });
  const judgement =
    overall.verdict === 'too-lax' && outages.length > 0 ? acrossRestarts(overall, samples, key, outages) : overall;
  const { counts, verdict, reason } = judgement;
  /** Why the samples of this key prove nothing, where no rule is broken. */
  const doubts: Reason[] = [];
  if (isCutShort) doubts.push({ code: 'cut-short', text: `${key.label} was not driven to its end` });
  // Where nobody answered, the run says so for all keys.
  if (counts.unknown > tolerableLoss * totalOf(counts) && counts.unknown > outages.length) {
    const text = `${counts.unknown} of ${totalOf(counts)} requests with ${key.label} got no usable answer`;
    doubts.push({ code: 'no-usable-answer', text });
  }
  if (verdict === 'inconclusive') doubts.push({ code: 'not-shown', text: reason });
  const findings = [...envelopeFindings(judgement), ...formFindings(key, counts.throttled), ...retryFindings(key)];
  return { key, judgement, findings, doubts };
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
  { limit, withinMs, judging }: RawKey,
  outages: readonly Outage[],
): Judgement {
  const around = [...outages]
    .sort((a, b) => a.to - b.to)
    .map(({ from, to }) => ({ from: from - withinMs, to: to + withinMs }));
  const decided = samples.filter(
    ({ status, doneAt }) =>
      admissionOf(status) !== 'unknown' &&
      // Before or after the outage: with clocks that differ nobody knows, and what was not admitted is never too much.
      !around.some(({ from, to }) => from < doneAt && doneAt < to),
  );
  const parts = Map.groupBy(decided, ({ doneAt }) => around.findIndex(({ to }) => to >= doneAt));
  for (const part of parts.values()) {
    const judgement = judge(limit, part, { ...judging, startedFull: false, mustShow: {} });
    if (judgement.verdict === 'too-lax') return judgement;
  }
  const reason = `more was admitted than one bucket allows, but ${outages.length} requests got no answer: a limiter that was restarted has forgotten what it admitted`;
  const { tooLax: _, deviation: __, ...rest } = whole;
  return { ...rest, verdict: 'inconclusive', reason, off: { rate: 0, burst: 0 } };
}

const over429 = 'limiter/over-the-rate-is-429';

function envelopeFindings(judgement: Judgement): Finding[] {
  const { verdict, measured, counts, kind, reason } = judgement;
  const seen = describeJudgement(judgement);
  const broken = brokenRules(judgement);
  const findings = broken.map((rule): Finding => {
    if (rule === over429) return { rule, outcome: 'fail', seen: kind?.says ?? seen };
    return { rule, outcome: 'fail', seen: describeJudgement(judgement, rule), code: verdict };
  });
  if (verdict === 'pass' || verdict === 'inconclusive') {
    const shown = verdict === 'pass' ? ({ outcome: 'pass', seen } as const) : { outcome: verdict, seen: reason };
    for (const rule of ['limiter/steady-rate', 'limiter/burst', 'limiter/clustering-gains-nothing'] as const)
      findings.push({ rule, ...shown });
  }
  const { low, high, best } = measured.burst;
  const size = Number.isFinite(high) ? `the bucket holds ${best ?? `${Math.floor(low)} to ${Math.ceil(high)}`}` : null;
  findings.push({ rule: 'limiter/burst-reading', outcome: 'observed', seen: size ?? 'not measured' });
  if (!broken.includes(over429)) {
    const outcome = counts.throttled > 0 ? 'pass' : 'inconclusive';
    findings.push({ rule: over429, outcome, seen: `${counts.throttled} requests answered with 429` });
  }
  return findings;
}

function formFindings({ malformed }: RawKey, throttled: number): Finding[] {
  return (['limiter/429-has-retry-after', 'limiter/429-body-is-one-message'] as const).map((rule): Finding => {
    const [most] = [...(malformed.get(rule) ?? [])].sort(([, a], [, b]) => b - a);
    if (most) return { rule, outcome: 'fail', seen: `${most[1]} replies 429 have ${most[0]}: breaks ${rule}` };
    const seen =
      throttled > 0 ? `${throttled} replies 429, all well-formed` : 'no reply 429 whose form could be judged';
    return { rule, outcome: throttled > 0 ? 'pass' : 'inconclusive', seen };
  });
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
  if (broken[0] !== undefined) {
    const seen = `${broken[0].reason} (${broken.length} of ${judged.length} times): breaks ${rule}`;
    return [{ rule, outcome: 'fail', seen }];
  }
  const open = judged.find(({ verdict }) => verdict !== 'pass');
  return [{ rule, outcome: open ? 'inconclusive' : 'pass', seen: open?.reason ?? judged[0]?.reason ?? '' }];
}
