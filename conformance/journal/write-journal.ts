import { z } from 'zod';
import { type HookName, hooks } from '../../spec/files/hooks.ts';
import type { LockHolder } from '../../spec/lock-file.ts';
import { holderKey, holderSchema } from '../target/holder.ts';

/** How a run waits for its turn. */
export interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once, with the run that has the turn. */
  readonly onWait?: ((other: LockHolder) => void) | undefined;
}

/** A change that a run has made, or will make next, and must undo. */
export type Borrowed = BorrowedLabel | BorrowedByHook;

/** A change inside the product that a hook made and another hook undoes. */
export type BorrowedByHook = z.output<typeof borrowedByHook>;
export const borrowedByHook = z.object({
  tenant: z.string(),
  /** The hook that undoes the change, with its input. */
  hook: z.literal(Object.keys(hooks.shape) as HookName[]),
  input: z.record(z.string(), z.string()).readonly(),
});

/** A label that a run applied to a holder, or will apply next, and must remove again. */
export type BorrowedLabel = z.output<typeof borrowedLabel>;
export const borrowedLabel = z.object({
  tenant: z.string(),
  holder: holderSchema,
  label: z.string().min(1),
  /** Set when the run removed the label and must apply it again. */
  inverse: z.literal('apply').exactOptional(),
  /**
   * Milliseconds since the epoch. A delayed write of the label may arrive until then, and undo an inverse that was sent before. Journals of
   * older versions have no such field.
   */
  until: z.number().exactOptional(),
});

/** Remembers the changes of a run until they are undone, even if the process is killed. */
export interface WriteJournal {
  /** Resolves when the entry is stored; only then may the write be sent. A second call with a later `until` extends the entry. */
  borrowed(entry: Borrowed): Promise<void>;
  returned(entry: Borrowed): Promise<void>;
  /** Changes that are not undone yet, of this run or an earlier one. */
  pending(): Promise<readonly Borrowed[]>;
  /** Resolves when no other run with this journal writes to the deployment. The result ends the turn. */
  turn?(options: TurnOptions): Promise<() => Promise<void>>;
}

/** `label 1abe… on site 10042 of acme` */
export const labelWords = ({ tenant, holder, label, inverse }: BorrowedLabel): string =>
  `label ${label} ${inverse ? 'missing from' : 'on'} ${holderKey(holder)} of ${tenant}`;

/** A key for maps of entries. It ignores `until`. */
export function entryKey(entry: Borrowed): string {
  if ('hook' in entry) {
    // A key is identified by its name, because its id is known only after the hook has run.
    const { id, ...named } = entry.input;
    return JSON.stringify([
      entry.tenant,
      entry.hook,
      ...Object.entries(entry.input.name ? named : { ...named, id }).sort(),
    ]);
  }
  return labelWords(entry);
}

/** A journal in memory, for targets that end with the process, such as an in-process mock. */
export function memoryJournal(): WriteJournal {
  const entries = new Map<string, Borrowed>();
  return {
    borrowed: async (entry) => void entries.set(entryKey(entry), entry),
    returned: async (entry) => void entries.delete(entryKey(entry)),
    pending: async () => [...entries.values()],
  };
}
