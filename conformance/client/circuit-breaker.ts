/** Stops a run when the deployment no longer replies. Without a circuit breaker every check would try for minutes. */
interface CircuitBreaker {
  /** A usable reply came. */
  heard(): void;
  /** A try got no reply, or a reply that asks to come back later. */
  failed(): void;
  /** Why nothing more is sent, or null. */
  lost(): string | null;
}

/** A restart of the deployment takes no longer than this. */
const longestSilence = 120_000;
/** Fewer failures may come from a single endpoint that never answers. */
const fewest = 12;

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
      if (failures < fewest || silent < longestSilence) return null;
      return `given up: for ${Math.round(silent / 1000)} s none of ${failures} requests has had a usable reply`;
    },
  };
}
