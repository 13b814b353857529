import type { Script } from '../scripts/script.ts';

/**
 * Runs scripts concurrently, but never two that share a lock.
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
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(({ locks = [] }) => running.size < slots && !locks.some((lock) => held.has(lock)));
    const script = next < 0 ? undefined : waiting.splice(next, 1)[0];
    if (script === undefined) {
      await Promise.race(running);
      continue;
    }
    const { locks = [] } = script;
    for (const lock of locks) held.add(lock);
    const task: Promise<void> = run(script).finally(() => {
      for (const lock of locks) held.delete(lock);
      running.delete(task);
    });
    running.add(task);
  }
}
