import { admissionOf } from '../../../spec/limiter/admission.ts';
import type { Judgement } from '../../../spec/limiter/judge.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import { type Consuming, doublyRestedRuns, isThrottled, volleyFrom } from './key-use.ts';

/** Gaps between requests, as shares of the interval of the rate, after which an honest bucket has a token now and then. */
const [minGap, maxGap] = [0.3, 0.8];

/** Pairs of requests with such a gap that rule out chance. */
const minPairs = 30;

/** The admitted share of such pairs if throttled requests take tokens, on a steady network and on one that reorders requests. */
const [maxAdmittedSteady, maxAdmittedUnsteady] = [0.15, 0.5];

/**
 * Whether throttled requests take tokens: next to nothing is admitted right after a throttled request, and that explains every 429. If that
 * explains every 429 and no bucket does, throttled requests may take a part of a token.
 */
export function consumesRejected(
  samples: readonly Observation[],
  { limit: { perSecond, burst }, measured }: Judgement,
): Consuming {
  const interval = 1000 / perSecond;
  const followers = samples.filter((sample, i) => {
    const before = samples[i - 1];
    const gap = sample.sentAt - (before?.sentAt ?? 0);
    return before !== undefined && isThrottled(before) && gap > minGap * interval && gap < maxGap * interval;
  });
  const admitted = followers.filter(({ status }) => admissionOf(status) === 'admitted').length;
  const unsteady = spreadOf(samples) > interval;
  const none =
    followers.length >= minPairs && admitted <= followers.length * (unsteady ? maxAdmittedUnsteady : maxAdmittedSteady);
  if (!none && measured.bucket) return 'no';
  // A rested bucket is full, whatever was throttled before.
  const rested = doublyRestedRuns(samples, { perSecond, burst });
  const isShort = (run: readonly Observation[]) => {
    const refusals = volleyFrom(run).filter(isThrottled);
    const until = Math.max(...refusals.map(({ doneAt }) => doneAt));
    const before = run.filter(({ status, sentAt }) => admissionOf(status) === 'admitted' && sentAt <= until);
    return refusals.length > 0 && before.length < burst - 1;
  };
  if (rested.slice(1).some(isShort)) return 'no';
  // A bucket is never more than a burst below zero, so the tokens refilled since the previous 429 must be used up.
  const throttled = samples.filter(isThrottled);
  const explained = throttled.every((one) => {
    const since = throttled.reduce((last, { doneAt }) => (doneAt <= one.sentAt ? Math.max(last, doneAt) : last), -1);
    if (since < 0) return true;
    const taken = samples.filter(
      (other) => other !== one && other.doneAt >= since && other.sentAt <= one.doneAt,
    ).length;
    return Math.min(burst, (one.sentAt - since) / interval - burst) - taken < 1;
  });
  if (!explained) return 'no';
  return none && !unsteady ? 'surely' : 'perhaps';
}

/** Milliseconds by which slow replies are slower than quick ones. */
export function spreadOf(samples: readonly Observation[]): number {
  const took = samples.map(({ sentAt, doneAt }) => doneAt - sentAt).sort((a, b) => a - b);
  const at = (part: number) => took[Math.floor(part * took.length)] ?? 0;
  return at(0.9) - at(0.1);
}

/** Adds a 404 for each throttled request: a request that may have taken a token. */
export const withRejected = (samples: readonly Observation[]): Observation[] =>
  samples.flatMap((sample) => (isThrottled(sample) ? [sample, { ...sample, status: 404 }] : [sample]));
