import { judge } from '../../spec/limiter/judge.ts';
import type { Limit } from '../../spec/limiter/limit.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import type { LimiterRun } from '../limiter-run.ts';

/** Which rule a limiter that is proven wrong has broken. At least one of them, where something is proven. */
export interface Blame {
  readonly rate: boolean;
  readonly burst: boolean;
  readonly clustering: boolean;
}

const nothingToShow = { mustShow: {} };

/** @param run not planned */
export function blameOf({ judgement, paced, trials, sustained }: LimiterRun): Blame {
  const { limit, off, tooLax, tooStrict } = judgement;
  if (!tooLax && !tooStrict) return { rate: false, burst: false, clustering: false };

  const isLax = (samples: readonly Observation[]) => judge(limit, samples, nothingToShow).tooLax !== undefined;
  const overload = judge(limit, sustained, { ...nothingToShow, startedFull: false });
  const rate = off.rate !== 0 || overload.tooLax !== undefined || overload.tooStrict !== undefined;
  const strictVolley =
    refusedTooEarly([...paced, ...(trials[0]?.volley ?? [])], limit) && !refusedTooEarly(paced, limit);
  const burst = off.burst !== 0 || strictVolley || trials.some(({ volley }) => isLax(volley));
  // One volley is within the limit, and yet several around the same moment admit more than any bucket holds.
  const clustering = !overload.tooLax && trials.some(({ volley, all }) => isLax(all) && !isLax(volley));
  return { rate: rate || !(burst || clustering), burst, clustering };
}

/** Samples of a key that was full before the first of them, and nothing else: whether a 429 among them was impossible. */
export const refusedTooEarly = (samples: readonly Observation[], limit: Limit): boolean =>
  judge(limit, samples, nothingToShow).tooStrict !== undefined;
