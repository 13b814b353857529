/** Stops a run when the deployment no longer replies, or leaves many requests without a reply. Without a circuit breaker every check would try for minutes. */
interface CircuitBreaker {
  /** A usable reply came. */
  heard(): void;
  /** A try got no reply, or a reply that asks to come back later. */
  failed(): void;
  /** A try got no reply within the time of a request. */
  timedOut(): void;
  /** Whether nothing was heard for long, so that `lost` names this as the reason. */
  silent(): boolean;
  /** Why nothing more is sent, or null. */
  lost(): string | null;
}

/** Milliseconds. A restart of the deployment takes no longer than this. */
const maxSilence = 120_000;
/** Fewer failures may come from a single endpoint that never answers. */
const minFailures = 12;

/** A tenth of all requests and this many: no network loses so much, and the rest of the run would take hours. */
const maxTimedOut = 120;
const maxShare = 0.1;

/** @param now milliseconds */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
  let heardAt = now();
  let failures = 0;
  let answers = 0;
  let timeouts = 0;
  const silence = () => now() - heardAt;
  const silent = () => failures >= minFailures && silence() >= maxSilence;
  return {
    heard() {
      heardAt = now();
      failures = 0;
      answers++;
    },
    failed() {
      failures++;
    },
    timedOut() {
      timeouts++;
    },
    silent,
    lost() {
      if (timeouts >= maxTimedOut && timeouts >= maxShare * (answers + timeouts))
        return `given up: ${timeouts} requests got no reply in time, where ${answers} were answered`;
      return silent()
        ? `given up: no usable reply for ${Math.round(silence() / 1000)} s, to ${failures} requests`
        : null;
    },
  };
}
