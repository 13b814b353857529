import type { Script } from '../scripts/script.ts';

/**
 * Runs scripts concurrently, but never two that share a lock. Slow scripts mostly wait, so they take no slot.
 * @param slots scripts that run at the same time
 */
export async function schedule(
  scripts: readonly Script[],
  slots: number,
  run: (script: Script) => Promise<void>,
): Promise<void> {
  const waiting = [...scripts];
  const held = new Set<string>();
  const running = new Set<Promise<void>>();
  let free = slots;
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(
      ({ slow, locks = [] }) => (free > 0 || slow === true) && !locks.some((lock) => held.has(lock)),
    );
    const script = next < 0 ? undefined : waiting.splice(next, 1)[0];
    if (script === undefined) {
      await Promise.race(running);
      continue;
    }
    const taken = script.slow ? 0 : 1;
    const locks = script.locks ?? [];
    free -= taken;
    for (const lock of locks) held.add(lock);
    const task: Promise<void> = run(script).finally(() => {
      free += taken;
      for (const lock of locks) held.delete(lock);
      running.delete(task);
    });
    running.add(task);
  }
}
