import type { TransportProblem } from './http.ts';
import { isUnreached } from './transport-problem.ts';

/** How often and how long requests are tried, by what came of others. Without it, an operation that never answers would take hours. */
interface Patience {
  /** Milliseconds for a request of this operation. */
  timeoutOf(operation: string): number;
  /** How often a request may be tried that is throttled (null) or gets no reply. */
  tries(problem: TransportProblem | null): number;
  /** A request of this operation succeeded. */
  succeeded(operation: string): void;
  /** A request of this operation got no reply in time. */
  timedOut(operation: string): void;
}

/** Tries of one request that is throttled or gets no reply, and of one that times out as many others did, or that a second later gets no further. */
const [maxTries, fewTries] = [5, 2];

/** Time-outs after which no request that times out is tried often. */
const tiring = 10;

/** Time-outs of an operation that never succeeded, after which a request of this operation gets a short time only. */
const maxTimedOut = 6;
/** Milliseconds. */
const shortTimeout = 5_000;

/** @param timeout milliseconds per request */
export function createPatience(timeout: number): Patience {
  const working = new Set<string>();
  const timeouts = new Map<string, number>();
  let all = 0;
  return {
    timeoutOf: (operation) =>
      !working.has(operation) && (timeouts.get(operation) ?? 0) >= maxTimedOut
        ? Math.min(timeout, shortTimeout)
        : timeout,
    // What refuses connections may be starting.
    tries: (problem) =>
      (problem === 'timeout' && all >= tiring) || (isUnreached(problem) && problem !== 'refused') ? fewTries : maxTries,
    succeeded(operation) {
      working.add(operation);
    },
    timedOut(operation) {
      all++;
      timeouts.set(operation, (timeouts.get(operation) ?? 0) + 1);
    },
  };
}
