import type { GoalId } from './goals.ts';
import type { Summary } from './summary.ts';

/** A line of the outcome: a figure, and its goal if it has one. */
export interface Measurement {
  readonly goal: GoalId | null;
  /** What was measured, where no goal says so. */
  readonly what?: string;
  readonly figure: Summary;
  readonly unit: string;
  /** How the figure was computed, in words. */
  readonly detail: string;
  /** Why the goal is missed, should it be: what this very run saw that bounds the figure. */
  readonly reason?: string;
}
