import { z } from 'zod';
import type { Target } from '../../spec/files/target.ts';
import type { Exchange } from './exchange.ts';
import type { HookCall } from './hook-call.ts';

/** What was known before the first request. */
export interface Known {
  /** Version of partnerkit. */
  readonly kit: string;
  /** ISO time. */
  readonly startedAt: string;
  /** The target file with placeholders in place of secrets. */
  readonly target: Target;
  readonly allowLeftovers: boolean;
}

const lines = z.array(z.string()).readonly();
export const isoTime = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is no time');

/** A script that did not run, or not to its end. */
export type Skipped = z.output<typeof skippedSchema>;
export const skippedSchema = z
  .object({
    script: z.string(),
    /** Rules for which the script would have given evidence. */
    tries: lines,
    /** `not-run`: the target file lacks a field; `not-selected`: by the options of the run; `stopped`: begun and not finished. */
    reason: z.enum(['not-run', 'not-selected', 'stopped']),
    /** The missing fields or options, or why it was stopped. */
    why: lines,
  })
  .readonly();

/** How a run ended. */
export const endSchema = z
  .object({
    interrupted: z.boolean(),
    finishedAt: isoTime,
    /** Labels that could not be removed again, in words. */
    left: lines,
    /** Rules for which at least one script ran. */
    exercised: lines,
    /** Why the run stopped early, where everything that was served before was refused or lost. */
    blocked: z.string().optional(),
  })
  .readonly();

/** Everything that happened in a run. Laws judge nothing else. */
export interface History extends z.output<typeof endSchema> {
  readonly known: Known;
  /** In the order of sending. */
  readonly exchanges: readonly Exchange[];
  /** In order. */
  readonly hooks: readonly HookCall[];
  readonly skipped: readonly Skipped[];
}
