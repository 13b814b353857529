/** Stops a run when the deployment no longer replies. Without a circuit breaker every check would try for minutes. */
interface CircuitBreaker {
  /** A usable reply came. */
  heard(): void;
  /** A try got no reply, or a reply that asks to come back later. */
  failed(): void;
  /** Why nothing more is sent, or null. */
  lost(): string | null;
}

/** Milliseconds. A restart of the deployment takes no longer than this. */
const maxSilence = 120_000;
/** Fewer failures may come from a single endpoint that never answers. */
const minFailures = 12;

/** @param now milliseconds */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
  let heardAt = now();
  let failures = 0;
  return {
    heard() {
      heardAt = now();
      failures = 0;
    },
    failed() {
      failures++;
    },
    lost() {
      const silent = now() - heardAt;
      if (failures < minFailures || silent < maxSilence) return null;
      return `given up: no usable reply for ${Math.round(silent / 1000)} s, to ${failures} requests`;
    },
  };
}
