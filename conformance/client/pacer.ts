import type { Environment } from './environment.ts';

export interface DeclaredLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Keeps one key under its declared rate, whoever uses it: callers wait their turn in the order in which they came. */
export interface Pacer {
  /** Resolves when one more request may leave. */
  turn(signal?: AbortSignal): Promise<void>;
  /** One request has left past the pacer: those that follow find one less. */
  used(): void;
  /** After a 429 or 503: nobody sends for that long, and nothing is left of the burst. */
  pause(milliseconds: number): void;
}

/** What we use of a declared limit: the rest is for clocks that differ, and for what was used before we came. */
const ofRate = 0.98;
const ofBurst = 0.7;

export function createPacer(
  { perSecond, burst }: DeclaredLimit,
  environment: Pick<Environment, 'now' | 'sleep'>,
): Pacer {
  const capacity = Math.max(1, Math.floor(burst * ofBurst));
  const interval = 1000 / (perSecond * ofRate);
  /** The moment at which the allowance would be whole again. */
  let fullAt = Number.NEGATIVE_INFINITY;
  let notBefore = Number.NEGATIVE_INFINITY;
  return {
    async turn(signal) {
      const now = environment.now();
      const at = Math.max(now, notBefore, fullAt - (capacity - 1) * interval);
      fullAt = Math.max(fullAt, at) + interval;
      if (at > now) await environment.sleep(at - now, signal);
    },
    used() {
      const now = environment.now();
      // However many were sent, an allowance is no emptier than empty.
      fullAt = Math.min(Math.max(fullAt, now) + interval, Math.max(fullAt, now + capacity * interval));
    },
    pause(milliseconds) {
      const until = environment.now() + milliseconds;
      notBefore = Math.max(notBefore, until);
      fullAt = Math.max(fullAt, until + (capacity - 1) * interval);
    },
  };
}
