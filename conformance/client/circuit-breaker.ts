/** When a run stops asking a deployment that has fallen silent: without an end to breaker, every check would try for minutes. */
export interface CircuitBreaker {
  /** A usable reply came. */
  heard(): void;
  /** A try got no reply, or one that says that it is not the time. */
  failed(): void;
  /** Why nothing more is sent, or null. */
  lost(): string | null;
}

/** A restart of the deployment takes no longer, and what is tried meanwhile is lost anyway. */
const longestSilence = 120_000;
/** Fewer may be a single endpoint that never answers, while the others are not asked. */
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
