import type { Limit } from '../control/control.ts';
import type { LevelSample } from './minute.ts';

const kept = 60_000;

/** The levels of all buckets while somebody looks, for the last minute of the mock's clock. */
export class LevelHistory {
  readonly #samples = new Map<string, LevelSample[]>();

  /** @param now milliseconds since the epoch by the mock's clock */
  note(limits: readonly Limit[], now: number): void {
    for (const { id, level } of limits) {
      if (level === null) continue;
      // A clock that was set back has not seen what comes after it.
      const fresh = this.of(id).filter(({ at }) => at > now - kept && at <= now);
      this.#samples.set(id, [...fresh, { at: now, level }]);
    }
  }

  of(id: string): readonly LevelSample[] {
    return this.#samples.get(id) ?? [];
  }
}
