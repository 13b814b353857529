import type { HookName } from '../../spec/files/hooks.ts';

/** One run of a command of the target file, redacted: evidence of what was done inside the product, and when. */
export interface HookCall {
  readonly situation: string;
  readonly hook: HookName;
  readonly tenant: string;
  readonly input: Readonly<Record<string, HookValue>>;
  /** Milliseconds since the epoch, on the clock of exchanges. */
  readonly startedAt: number;
  readonly doneAt: number;
  /** What it printed, as JSON; undefined where that was none. */
  readonly output?: unknown;
  /** Why it failed; null where it did not. */
  readonly failure: string | null;
}

export type HookValue = string | number | readonly string[];
