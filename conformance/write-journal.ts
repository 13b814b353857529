import type { Holder } from './facts.ts';

/** A label that was put on a holder, or will be in a moment, and has to come off again. */
export interface Borrowed {
  readonly tenant: string;
  readonly holder: Holder;
  readonly label: string;
}

/** Remembers what a run has borrowed until it is returned, over the death of the process too. */
export interface WriteJournal {
  /** Kept for good before this resolves: only then may the write be sent. */
  borrowed(entry: Borrowed): Promise<void>;
  returned(entry: Borrowed): Promise<void>;
  /** Borrowed and not returned, by this run or an earlier one. */
  pending(): Promise<readonly Borrowed[]>;
}

/** For runs whose target dies with them: an in-process mock. */
export function memoryJournal(): WriteJournal {
  const entries = new Map<string, Borrowed>();
  return {
    borrowed: async (entry) => void entries.set(JSON.stringify(entry), entry),
    returned: async (entry) => void entries.delete(JSON.stringify(entry)),
    pending: async () => [...entries.values()],
  };
}
