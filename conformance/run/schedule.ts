import type { Situation } from '../scripts/script.ts';

/**
 * Runs situations concurrently, but never two that share a lock. Slow situations mostly wait, so they take no slot.
 * @param slots situations that run at the same time
 */
export async function schedule(
  situations: readonly Situation[],
  slots: number,
  run: (situation: Situation) => Promise<void>,
): Promise<void> {
  const waiting = [...situations];
  const held = new Set<string>();
  const running = new Set<Promise<void>>();
  let free = slots;
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(
      ({ slow, locks = [] }) => (free > 0 || slow === true) && !locks.some((lock) => held.has(lock)),
    );
    const situation = next < 0 ? undefined : waiting.splice(next, 1)[0];
    if (situation === undefined) {
      await Promise.race(running);
      continue;
    }
    const taken = situation.slow ? 0 : 1;
    const locks = situation.locks ?? [];
    free -= taken;
    for (const lock of locks) held.add(lock);
    const task: Promise<void> = run(situation).finally(() => {
      free += taken;
      for (const lock of locks) held.delete(lock);
      running.delete(task);
    });
    running.add(task);
  }
}
