import { type Exchange, succeeded } from '../history/exchange.ts';
import { isUnreached, type TransportProblem } from './http.ts';

/** Tries of one request that is throttled or gets no reply, and of one that times out as many others did, or that a second later gets no further. */
const [maxTries, fewTries] = [5, 2];
/** Time-outs after which no request that times out is tried often. */
const tiring = 10;
/** Time-outs of an operation that never succeeded, after which its requests get a short time only, in milliseconds. */
const [maxTimedOut, shortTimeout] = [6, 5_000];
/** A tenth of all requests and this many: no network loses so much, and the rest of the run would take hours. */
const [maxTimeouts, maxShare] = [120, 0.1];

/**
 * How long and how often requests are tried, and when a run gives up, by what came of others. Without it, what never answers would take hours.
 * @param timeout milliseconds per request
 */
export function createRetryPolicy(timeout: number) {
  const working = new Set<string>();
  const timedOut = new Map<string, number>();
  let answers = 0;
  let [all, paced] = [0, 0];
  return {
    /** @param operation an operationId, or `storage` */
    saw(operation: string, problem: TransportProblem | null, exchange: Pick<Exchange, 'status' | 'paced'>) {
      if (succeeded(exchange)) working.add(operation);
      if (problem === null) answers++;
      if (problem !== 'timeout') return;
      all++;
      if (exchange.paced) paced++;
      timedOut.set(operation, (timedOut.get(operation) ?? 0) + 1);
    },
    /** Milliseconds for a request of this operation. */
    timeoutOf: (operation: string) =>
      !working.has(operation) && (timedOut.get(operation) ?? 0) >= maxTimedOut
        ? Math.min(timeout, shortTimeout)
        : timeout,
    /** How often a request may be tried that is throttled (null) or gets no reply. What refuses connections may be starting. */
    tries: (problem: TransportProblem | null) =>
      (problem === 'timeout' && all >= tiring) || (isUnreached(problem) && problem !== 'refused') ? fewTries : maxTries,
    /** Why nothing more is sent, or null. */
    lost: (): string | null =>
      paced >= maxTimeouts && paced >= maxShare * (answers + paced)
        ? `given up: ${paced} requests got no reply in time, where ${answers} were answered`
        : null,
  };
}
