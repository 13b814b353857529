import { describeJudgement } from '../../../spec/limiter/describe-judgement.ts';
import { type Judgement, judge } from '../../../spec/limiter/judge.ts';
import type { Limit } from '../../../spec/limiter/limit.ts';
import { volleyMilliseconds, volleyOf } from '../../../spec/limiter/missing-tokens.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import { restedRuns } from '../../../spec/limiter/observation.ts';
import { type Blame, type KeyUse, samplesOf } from './key-use.ts';

/** For `judge`: the requests need not be able to show every fault. */
export const proofs = { mustShow: {} };

export const isStrict = (samples: readonly Observation[], limit: Limit): boolean =>
  samples.length > 0 && judge(limit, samples, proofs).tooStrict !== undefined;
export const isLax = (samples: readonly Observation[], limit: Limit): boolean =>
  samples.length > 0 && judge(limit, samples, proofs).tooLax !== undefined;

/** What shows that a limiter breaks a rule, by what its key got in the parts of the measurement. */
export function blameOf(use: Omit<KeyUse, 'blame' | 'interference'>): Blame {
  const { key, limit, judgement, measured, shut } = use;
  const { off, tooLax, tooStrict } = judgement;
  if (!tooLax && shut.length > 0)
    return {
      rate: `after a 429, nothing was sent with key ${key} until Retry-After had passed, and the next request was throttled as well, all ${shut.length} times`,
    };
  if (!tooLax && !tooStrict) return {};
  const rateOnly = { ...judgement, off: { rate: off.rate, burst: 0 } };
  const burstOnly = { ...judgement, off: { rate: 0, burst: off.burst } };
  if (!measured)
    return {
      ...((off.burst === 0 || off.rate !== 0) && { rate: wordsOf(rateOnly) }),
      ...(off.burst !== 0 && { burst: wordsOf(burstOnly) }),
    };
  const sustained = samplesOf(use, 'sustained');
  const overload = judge(limit, sustained.length > 0 ? sustained : use.samples, { ...proofs, startedFull: false });
  const attacks = ['exhausted', 'clustering', 'again'].flatMap((part) => restedRuns(samplesOf(use, part), limit));
  const isPacedStrict = isStrict(samplesOf(use, 'paced'), limit);
  const isWrong = (volley: Judgement) => volley.tooLax || (volley.tooStrict && !isPacedStrict);
  const volley = attacks.map((attack) => judge(limit, atOnce(attack), proofs)).find(isWrong);
  const isOverloadWrong = overload.tooLax !== undefined || overload.tooStrict !== undefined;
  // Each volley is within the limit, but several volleys at about the same time admit more than a bucket holds.
  const attack = overload.tooLax ? undefined : attacks.find((one) => isLax(one, limit) && !isLax(atOnce(one), limit));
  const rate = off.rate !== 0 || isOverloadWrong || !(off.burst !== 0 || volley || attack);
  return {
    ...(rate && { rate: wordsOf(rateOnly, isOverloadWrong ? overload : judgement) }),
    ...((off.burst !== 0 || volley) && { burst: wordsOf(burstOnly, volley) }),
    ...(attack && { clustering: judge(limit, attack, proofs).reason }),
  };
}

/** The figure that is proven of a limiter, if there is one, with its proof. @param proof what the requests that show it prove by themselves */
function wordsOf(judgement: Judgement, proof: Judgement = judgement): string {
  const { off, kind } = judgement;
  if (off.rate === 0 && off.burst === 0) return `${kind ? `${kind.says}; ` : ''}${proof.reason}`;
  const sentence = describeJudgement(judgement);
  return sentence.includes(proof.reason) ? sentence : `${sentence}; ${proof.reason}`;
}

/** The largest volley of a run, with what was sent as soon as it was answered. */
function atOnce(run: readonly Observation[]): readonly Observation[] {
  const volley = volleyOf(run);
  const answeredAt = volley.reduce((latest, { doneAt }) => Math.max(latest, doneAt), Number.NEGATIVE_INFINITY);
  const next = run.filter(({ sentAt }) => sentAt >= answeredAt && sentAt <= answeredAt + volleyMilliseconds);
  return [...volley, ...next];
}
