import type { Target } from '../../spec/files/target.ts';
import type { HookCall } from '../hooks/hook-call.ts';
import type { Exchange } from './exchange.ts';

/** What was known before anything was sent. */
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

/** A situation that was not brought about. */
export interface Skipped {
  readonly situation: string;
  /** Rules that it would have given evidence for. */
  readonly feeds: readonly string[];
  /** `not-run`: the target file lacks something; `not-selected`: nobody asked for it, or it needs leave; `stopped`: begun and not finished. */
  readonly reason: 'not-run' | 'not-selected' | 'stopped';
  /** Fields of the target file, options, or what ended it. */
  readonly why: readonly string[];
}

/** Everything that happened in a run, in order: laws judge it and nothing else. */
export interface History {
  readonly known: Known;
  readonly exchanges: readonly Exchange[];
  /** What was done inside the product, in order. */
  readonly hooks: readonly HookCall[];
  readonly skipped: readonly Skipped[];
  /** Labels that could not be taken off again, in words. */
  readonly left: readonly string[];
  readonly interrupted: boolean;
  /** ISO time. */
  readonly finishedAt: string;
}
