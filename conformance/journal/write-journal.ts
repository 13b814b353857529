import type { Holder } from '../target/holder.ts';

/** A label that was put on a holder, or will be in a moment, and has to come off again. */
export interface Borrowed {
  readonly tenant: string;
  readonly holder: Holder;
  readonly label: string;
  /** The other way about: it was taken off, and has to be put on again. */
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
  /** Borrowed and not returned, by this run or an earlier one. */
  pending(): Promise<readonly Borrowed[]>;
}

/** Names what was borrowed: equal for equal debts, however long writes of it may arrive. */
export const debtName = ({ tenant, holder, label, inverse }: Borrowed): string =>
  JSON.stringify([
    tenant,
    holder.kind,
    ...(holder.kind === 'link' ? [holder.clientId, holder.siteId] : [holder.id]),
    label,
    ...(inverse ? [inverse] : []),
  ]);

/** For runs whose target dies with them: an in-process mock. */
export function memoryJournal(): WriteJournal {
  const entries = new Map<string, Borrowed>();
  return {
    borrowed: async (entry) => void entries.set(debtName(entry), entry),
    returned: async (entry) => void entries.delete(debtName(entry)),
    pending: async () => [...entries.values()],
  };
}
