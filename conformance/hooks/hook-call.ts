import type { HookName } from '../../spec/files/hooks.ts';

/** One run of a hook, redacted: evidence of what was done inside the product, and when. */
export interface HookCall {
  readonly script: string;
  readonly hook: HookName;
  readonly tenant: string;
  readonly input: Readonly<Record<string, HookValue>>;
  /** Milliseconds since the epoch, on the clock of exchanges. */
  readonly startedAt: number;
  readonly doneAt: number;
  /** What the command printed, as JSON; undefined where it printed no JSON. */
  readonly output?: unknown;
  /** Why the command failed; null where it succeeded. */
  readonly failure: string | null;
}

/** A part of the input of a hook. */
export type HookValue = string | number | readonly string[];

/** Whether the output of `showLabels` names the label, in whatever form the product shows labels. */
export const namesLabel = (output: unknown, label: string): boolean =>
  JSON.stringify(output ?? null)
    .toLowerCase()
    .includes(label.toLowerCase());
