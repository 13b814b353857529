import type { Target } from '../../spec/files/target.ts';
import type { HookCall } from '../hooks/hook-call.ts';
import type { Exchange } from './exchange.ts';

/** What was known before the first request. */
export interface Known {
  /** Version of partnerkit. */
  readonly kit: string;
  /** ISO time. */
  readonly startedAt: string;
  /** The target file with placeholders in place of secrets. */
  readonly target: Target;
  readonly allowLeftovers: boolean;
  readonly deep: boolean;
}

/** A script that did not run, or not to its end. */
export interface Skipped {
  readonly script: string;
  /** Rules for which the script would have given evidence. */
  readonly tries: readonly string[];
  /** `not-run`: the target file lacks a field; `not-selected`: by the options of the run; `stopped`: begun and not finished. */
  readonly reason: 'not-run' | 'not-selected' | 'stopped';
  /** The missing fields or options, or why it was stopped. */
  readonly why: readonly string[];
}

/** Everything that happened in a run. Laws judge nothing else. */
export interface History {
  readonly known: Known;
  /** In the order of sending. */
  readonly exchanges: readonly Exchange[];
  /** In order. */
  readonly hooks: readonly HookCall[];
  readonly skipped: readonly Skipped[];
  /** Rules for which at least one script ran. */
  readonly exercised: readonly string[];
  /** Labels that could not be removed again, in words. */
  readonly left: readonly string[];
  readonly interrupted: boolean;
  /** Why the run stopped early, where everything that was served before was refused or lost. */
  readonly blocked?: string;
  /** ISO time. */
  readonly finishedAt: string;
}
