import type { Environment } from './environment.ts';

/** Virtual time: as soon as every task waits, the clock jumps to the next wake-up. @param startsAt milliseconds since the epoch */
export function virtualClock(startsAt = Date.UTC(2026, 0, 1)): Pick<Environment, 'now' | 'sleep'> {
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  let now = startsAt;
  let awake = false;
  const step = () => {
    const next = sleepers.shift();
    awake = next !== undefined;
    if (next === undefined) return;
    now = Math.max(now, next.at);
    next.wake();
    // The woken task runs until it waits again; then time moves on.
    setImmediate(step);
  };
  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted) {
          resolve();
          return;
        }
        const at = now + Math.max(0, milliseconds);
        const index = sleepers.findIndex((other) => other.at > at);
        sleepers.splice(index < 0 ? sleepers.length : index, 0, { at, wake: resolve });
        signal?.addEventListener('abort', () => resolve(), { once: true });
        if (awake) return;
        awake = true;
        setImmediate(step);
      }),
  };
}
