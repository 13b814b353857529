import type { Prepared } from './prepare.ts';

/** Runs all, some at a time, never two that hold the same lock; a slow check takes no place from the others. */
export async function inParallel(
  all: readonly Prepared[],
  width: number,
  one: (prepared: Prepared) => Promise<void>,
): Promise<void> {
  const waiting = [...all];
  const held = new Set<string>();
  const running = new Set<Promise<void>>();
  let places = width;
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(
      ({ check, locks }) => (places > 0 || check.slow === true) && !locks.some((lock) => held.has(lock)),
    );
    const prepared = next < 0 ? undefined : waiting.splice(next, 1)[0];
    if (prepared === undefined) {
      await Promise.race(running);
      continue;
    }
    const place = prepared.check.slow ? 0 : 1;
    places -= place;
    for (const lock of prepared.locks) held.add(lock);
    const task: Promise<void> = one(prepared).finally(() => {
      places += place;
      for (const lock of prepared.locks) held.delete(lock);
      running.delete(task);
    });
    running.add(task);
  }
}
