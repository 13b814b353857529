import type { Counts } from '../experiments/trial.ts';
import type { Exchange } from '../history/exchange.ts';

/** What a history shows of one rule. */
export interface Evidence {
  /** How often it was seen kept. */
  kept: number;
  readonly failures: Failure[];
  /** What nobody could explain: the rule is inconclusive then, never kept. */
  readonly unclear: string[];
}

/** A rule is broken: the exchange that shows it, and those before it that belong to it. */
export interface Failure {
  readonly exchange: Exchange;
  readonly expected: string;
  readonly observed: string;
  readonly with: readonly Exchange[];
  /** Of the trial that shows it. */
  readonly counts?: Counts;
}
