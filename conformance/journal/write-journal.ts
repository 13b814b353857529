import type { HookName } from '../../spec/files/hooks.ts';
import type { Holder } from '../target/holder.ts';

/** A change that a run has made, or will make next, and must undo. */
export type Borrowed = BorrowedLabel | BorrowedByHook;

/** A change inside the product that a hook undoes. */
export interface BorrowedByHook {
  readonly tenant: string;
  /** The one that gives it back, and what it is told. */
  readonly hook: HookName;
  readonly input: Readonly<Record<string, string>>;
}

/** A label that a run has put on a holder, or will put on next, and must take off again. */
export interface BorrowedLabel {
  readonly tenant: string;
  readonly holder: Holder;
  readonly label: string;
  /** True where the run took the label off and must put it on again. */
  readonly inverse?: 'apply';
  /**
   * Until when a write of it may still arrive, in milliseconds since the epoch: an inverse that is sent before may be overtaken. Journals of older
   * versions do not say.
   */
  readonly until?: number;
}

/** Remembers what a run has borrowed until it is returned, over the death of the process too. */
export interface WriteJournal {
  /** Kept for good before this resolves: only then may the write be sent. Said again with a later `until`, that counts. */
  borrowed(entry: Borrowed): Promise<void>;
  returned(entry: Borrowed): Promise<void>;
  /** Changes that are not undone yet, of this run or an earlier one. */
  pending(): Promise<readonly Borrowed[]>;
}

/** Names what was borrowed: equal for equal debts, however long writes of it may arrive. */
export function debtName(entry: Borrowed): string {
  if ('hook' in entry) {
    // The id of a key is known later than its name.
    const { id, ...named } = entry.input;
    return JSON.stringify([
      entry.tenant,
      entry.hook,
      ...Object.entries(entry.input.name ? named : { ...named, id }).sort(),
    ]);
  }
  const { tenant, holder, label, inverse } = entry;
  return JSON.stringify([
    tenant,
    holder.kind,
    ...(holder.kind === 'link' ? [holder.clientId, holder.siteId] : [holder.id]),
    label,
    ...(inverse ? [inverse] : []),
  ]);
}

/** A journal in memory, for runs whose target ends with the process: an in-process mock. */
export function memoryJournal(): WriteJournal {
  const entries = new Map<string, Borrowed>();
  return {
    borrowed: async (entry) => void entries.set(debtName(entry), entry),
    returned: async (entry) => void entries.delete(debtName(entry)),
    pending: async () => [...entries.values()],
  };
}
