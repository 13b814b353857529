import type { Limit } from './limit.ts';
import { admissionOf, type Observation } from './observation.ts';
import { readRetryAfter } from './throttled-reply.ts';

/** A 429 and what else was sent with its key. */
export type RetryAfterRun = {
  /** The header's text; null or undefined when the 429 had none. */
  readonly value: string | null | undefined;
  /** The 429 that carried it. */
  readonly throttled: Observation;
  /** Every other request that used the key, before and after, in any order; times in ms as everywhere. */
  readonly others: readonly Observation[];
  readonly limit: Limit;
  /** As in `judge`. Default 1 ms. */
  readonly skewMs?: number;
};

/** Whether waiting as long as a 429 says was enough. */
export type RetryAfterJudgement = {
  /** `malformed`: not a number of seconds. `broken`: a request that waited long enough was throttled. */
  readonly verdict: 'pass' | 'malformed' | 'broken' | 'inconclusive';
  readonly reason: string;
  readonly seconds?: number;
};

/**
 * Whether a 429 kept its `Retry-After`: one request sent after that many seconds passes if nothing else uses the key. Requests
 * that may have taken a token since the 429 lengthen the wait by their refill. A long wait is never a fault: it is a suggestion.
 */
export function judgeRetryAfter({ value, throttled, others, limit, skewMs = 1 }: RetryAfterRun): RetryAfterJudgement {
  const { seconds, fault } = readRetryAfter(value);
  if (seconds === undefined) return { verdict: 'malformed', reason: fault ?? 'no Retry-After' };
  const { perSecond, burst, drift = 0.001, tick = 0 } = limit;
  const promised = throttled.doneAt + seconds * 1000 * (1 + drift) + 2 * skewMs;
  // An unknown request that was sent before the 429 may still reach the limiter later, so it counts although it has ended.
  const mayTake = others.filter(({ status, doneAt }) => {
    const admission = admissionOf(status);
    return admission === 'unknown' || (admission !== 'throttled' && doneAt + 2 * skewMs >= throttled.sentAt);
  });
  let tried = 0;
  for (const retry of others) {
    if (admissionOf(retry.status) !== 'throttled') continue;
    const taken = mayTake.filter(({ sentAt }) => sentAt - 2 * skewMs <= retry.doneAt).length;
    const refill = (taken * 1000) / (perSecond * (1 - drift)) + (taken > 0 ? tick : 0);
    if (taken <= burst - 1 && retry.sentAt >= promised + refill) {
      const waited = ((retry.sentAt - throttled.doneAt) / 1000).toFixed(2);
      const reason = `Retry-After said ${seconds} s, and a request sent ${waited} s after the 429 was throttled again`;
      return { verdict: 'broken', seconds, reason };
    }
    if (retry.sentAt >= promised) tried += 1;
  }
  const passed = ({ status, sentAt }: Observation) =>
    admissionOf(status) === 'admitted' && sentAt >= throttled.doneAt + seconds * 1000;
  if (others.some(passed)) {
    return {
      verdict: 'pass',
      seconds,
      reason: `a request sent ${seconds} s after the 429 passed, as Retry-After said`,
    };
  }
  const reason =
    tried > 0
      ? 'other requests may have taken the token that a request waited for'
      : 'no answered request waited that long';
  return { verdict: 'inconclusive', seconds, reason: `Retry-After said ${seconds} s: ${reason}` };
}
