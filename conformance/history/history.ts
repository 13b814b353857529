import type { Target } from '../../spec/files/target.ts';
import type { HookCall } from '../hooks/hook-call.ts';
import type { Exchange } from './exchange.ts';

/** Facts that were known before the first request. */
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
  /** Rules for which the situation would have given evidence. */
  readonly feeds: readonly string[];
  /** `not-run`: the target file lacks something; `not-selected`: nobody asked for it, or it needs leave; `stopped`: begun and not finished. */
  readonly reason: 'not-run' | 'not-selected' | 'stopped';
  /** The missing fields of the target file or options, or the reason for the end. */
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
