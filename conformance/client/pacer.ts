import type { Limit } from '../../spec/limiter/limit.ts';
import type { Environment } from './environment.ts';

export type Pacer = ReturnType<typeof createPacer>;

/** The share of the declared limit that a run uses. The rest allows for clock drift and for earlier use of the key. */
const rateShare = 0.98;
const burstShare = 0.7;

/** Keeps one key under its declared rate. All users of the key wait in one queue. */
export function createPacer({ perSecond, burst }: Limit, environment: Pick<Environment, 'now' | 'sleep'>) {
  const capacity = Math.max(1, Math.floor(burst * burstShare));
  const interval = 1000 / (perSecond * rateShare);
  /** The time at which the allowance is full again (GCRA). */
  let fullAt = Number.NEGATIVE_INFINITY;
  let notBefore = Number.NEGATIVE_INFINITY;
  return {
    /** Resolves when one more request may leave. */
    async turn(signal?: AbortSignal): Promise<void> {
      const now = environment.now();
      const at = Math.max(now, notBefore, fullAt - (capacity - 1) * interval);
      fullAt = Math.max(fullAt, at) + interval;
      if (at > now) await environment.sleep(at - now, signal);
    },
    /** Counts a request that was sent without waiting for the pacer. */
    used() {
      const now = environment.now();
      // The allowance is never below zero, however many unpaced requests were sent.
      fullAt = Math.min(Math.max(fullAt, now) + interval, Math.max(fullAt, now + capacity * interval));
    },
    /** After a 429 or 503: nothing is sent for this time, and the burst is used up. */
    pause(milliseconds: number) {
      const until = environment.now() + milliseconds;
      notBefore = Math.max(notBefore, until);
      fullAt = Math.max(fullAt, until + (capacity - 1) * interval);
    },
  };
}
