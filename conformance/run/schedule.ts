import type { Situation } from '../situations/asking/situation.ts';

/** Runs all, some at a time, never two that share a lock; a slow one takes no place from the others. */
export async function schedule(
  all: readonly Situation[],
  width: number,
  one: (situation: Situation) => Promise<void>,
): Promise<void> {
  const waiting = [...all];
  const held = new Set<string>();
  const running = new Set<Promise<void>>();
  let places = width;
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(
      ({ slow, locks = [] }) => (places > 0 || slow === true) && !locks.some((lock) => held.has(lock)),
    );
    const situation = next < 0 ? undefined : waiting.splice(next, 1)[0];
    if (situation === undefined) {
      await Promise.race(running);
      continue;
    }
    const place = situation.slow ? 0 : 1;
    const locks = situation.locks ?? [];
    places -= place;
    for (const lock of locks) held.add(lock);
    const task: Promise<void> = one(situation).finally(() => {
      places += place;
      for (const lock of locks) held.delete(lock);
      running.delete(task);
    });
    running.add(task);
  }
}
