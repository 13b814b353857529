import { z } from 'zod';
import { type HookName, hooks } from '../../spec/files/hooks.ts';
import { instant } from './exchange.ts';

/** A value that a hook is given: text, or several texts. */
export type HookValue = z.output<typeof value>;
const value = z.union([z.string(), z.number(), z.array(z.string()).readonly()]);

/** One run of a hook, redacted: evidence of what was done inside the product, and when. */
export type HookCall = z.output<typeof hookCallSchema>;
export const hookCallSchema = z
  .object({
    script: z.string(),
    hook: z.literal(Object.keys(hooks.shape) as HookName[]),
    tenant: z.string(),
    input: z.record(z.string(), value).readonly(),
    /** On the clock of exchanges. */
    startedAt: instant,
    doneAt: instant,
    /** What the command printed, as JSON; undefined where it printed no JSON. */
    output: z.unknown().optional(),
    /** Why the command failed; null where it succeeded. */
    failure: z.string().nullable(),
  })
  .readonly();

/** Whether the output of `showLabels` names the label, in whatever form the product shows labels. */
export const namesLabel = (output: unknown, label: string): boolean =>
  JSON.stringify(output ?? null)
    .toLowerCase()
    .includes(label.toLowerCase());
