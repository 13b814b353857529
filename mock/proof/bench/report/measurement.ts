import type { GoalId } from './goals.ts';
import type { Summary } from './summary.ts';

/** One line of the outcome: a figure, with the goal that it is held against where there is one. */
export interface Measurement {
  readonly goal: GoalId | null;
  /** What was measured, where no goal says so. */
  readonly what?: string;
  readonly figure: Summary;
  readonly unit: string;
  /** What the figure was made of, in words. */
  readonly detail: string;
  /** Why the goal is missed, should it be: what this very run saw that bounds the figure. */
  readonly reason?: string;
}
