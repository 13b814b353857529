import { judge } from '../../../spec/limiter/judge.ts';
import type { Limit } from '../../../spec/limiter/limit.ts';
import { volleyOf } from '../../../spec/limiter/missing-tokens.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import { type Blame, type KeyUse, restedRuns, samplesOf } from './key-use.ts';

const innocent: Blame = { rate: false, burst: false, clustering: false };

/** For `judge`: the requests need not be able to show every fault. */
export const proofs = { mustShow: {} };

export const isStrict = (samples: readonly Observation[], limit: Limit): boolean =>
  samples.length > 0 && judge(limit, samples, proofs).tooStrict !== undefined;
export const isLax = (samples: readonly Observation[], limit: Limit): boolean =>
  samples.length > 0 && judge(limit, samples, proofs).tooLax !== undefined;

/** Which rules a limiter breaks, by what its key got in the parts of the measurement. */
export function blameOf(use: Omit<KeyUse, 'blame' | 'interference'>): Blame {
  const { limit, judgement, measured } = use;
  const { off, tooLax, tooStrict } = judgement;
  if (!tooLax && use.shut.length > 0) return { ...innocent, rate: true };
  if (!tooLax && !tooStrict) return innocent;
  if (!measured) return { rate: off.burst === 0 || off.rate !== 0, burst: off.burst !== 0, clustering: false };
  const sustained = samplesOf(use, 'sustained');
  const overload = judge(limit, sustained.length > 0 ? sustained : use.samples, { ...proofs, startedFull: false });
  const attacks = ['exhausted', 'clustering', 'again'].flatMap((part) => restedRuns(samplesOf(use, part), limit));
  const paced = samplesOf(use, 'paced');
  const rate = off.rate !== 0 || overload.tooLax !== undefined || overload.tooStrict !== undefined;
  const strictVolley = attacks.some((attack) => isStrict(volleyOf(attack), limit)) && !isStrict(paced, limit);
  const burst = off.burst !== 0 || strictVolley || attacks.some((attack) => isLax(volleyOf(attack), limit));
  // Each volley is within the limit, but several volleys at about the same time admit more than a bucket holds.
  const clustering =
    !overload.tooLax && attacks.some((attack) => isLax(attack, limit) && !isLax(volleyOf(attack), limit));
  return { rate: rate || !(burst || clustering), burst, clustering };
}
