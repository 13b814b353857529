import type { NetworkProfile } from '../trials/network-profiles.ts';

/** A piece of the proof that one worker does on its own. */
export type Job =
  | {
      readonly part: 'defects';
      readonly ids: readonly string[];
      readonly probability: number;
      readonly seeds: readonly number[];
    }
  | {
      readonly part: 'variants';
      readonly id: string;
      readonly network: NetworkProfile['id'];
      readonly seeds: readonly number[];
    }
  | { readonly part: 'edits'; readonly seed: number; readonly share: readonly [number, number] }
  | { readonly part: 'killed-runs'; readonly at: readonly number[] };

/** One run against a defect. */
export interface DefectRun {
  readonly part: 'defects';
  readonly id: string;
  readonly probability: number;
  readonly seed: number;
  /** How often the defect changed something. */
  readonly reached: number;
  readonly verdict: 'conformant' | 'non-conformant' | 'incomplete';
  /** Laws of the broken rule that found it. */
  readonly killedBy: readonly string[];
  /** Laws of other rules that found something. */
  readonly others: readonly string[];
  /** Labels that are not as they were. */
  readonly changed: readonly string[];
}

/** One run against a deployment that keeps the contract in a way of its own. */
export interface VariantRun {
  readonly part: 'variants';
  readonly id: string;
  readonly network: string;
  readonly seed: number;
  readonly verdict: 'conformant' | 'non-conformant' | 'incomplete';
  /** `law: message`. */
  readonly falseAlarms: readonly string[];
  /** Documented musts that a run over a calm network could not judge. */
  readonly unjudged: readonly string[];
  readonly changed: readonly string[];
}

/** One change of one exchange of a good history. */
export interface EditRun {
  readonly part: 'edits';
  /** What was changed: `status of getSite 200 -> 500`. */
  readonly what: string;
  /** Its kind, which a survivor's reason belongs to. */
  readonly kind: string;
  /** Laws that are broken after it; none where it survived. */
  readonly brokenLaws: readonly string[];
}

/** One run that was killed after so many requests, and cleaned up. */
export interface KilledRun {
  readonly part: 'killed-runs';
  readonly at: number;
  /** What is not as it was before the run. */
  readonly changed: readonly string[];
}

export type Result = DefectRun | VariantRun | EditRun | KilledRun;
