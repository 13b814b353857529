import type { NetworkProfile } from '../trials/network-profiles.ts';

/** Runs against some defects. */
export interface DefectJob {
  readonly part: 'defects';
  readonly ids: readonly string[];
  readonly probability: number;
  readonly seeds: readonly number[];
  /** Whether only the laws of the broken rule judge. */
  readonly ownLaws: boolean;
}

/** A part of the proof that a single worker can do. */
export type Job =
  | DefectJob
  | {
      readonly part: 'variants';
      readonly id: string;
      readonly network: NetworkProfile['id'];
      readonly seeds: readonly number[];
    }
  | { readonly part: 'edits'; readonly seed: number; readonly share: readonly [number, number] }
  | { readonly part: 'killed-runs'; readonly at: readonly number[] };

/** The result of a run against a defect. */
export interface DefectRun {
  readonly part: 'defects';
  readonly id: string;
  readonly probability: number;
  readonly seed: number;
  /** How often the defect changed something. */
  readonly reached: number;
  /** Whether an answer of the run showed the defect. */
  readonly met: boolean;
  readonly verdict: 'conformant' | 'non-conformant' | 'incomplete';
  /** Laws of the broken rule that found the defect. */
  readonly killedBy: readonly string[];
  /** Laws of other rules that found something, if they judged. */
  readonly others: readonly string[];
  /** Labels that differ from the state before the run. */
  readonly changed: readonly string[];
}

/** The result of a run against a legal variant. */
export interface VariantRun {
  readonly part: 'variants';
  readonly id: string;
  readonly network: string;
  readonly seed: number;
  readonly verdict: 'conformant' | 'non-conformant' | 'incomplete';
  /** `law: message`. */
  readonly falseAlarms: readonly string[];
  /** Documented musts that could not be judged, though the network was calm. */
  readonly unjudged: readonly string[];
  readonly changed: readonly string[];
}

/** The result of one edit of one exchange of a good history. */
export interface EditRun {
  readonly part: 'edits';
  /** The edit in words: `status to 403 of getSite 200, in reads/getSite with acme/full`. */
  readonly what: string;
  /** Laws that find the edit; empty for a survivor. */
  readonly brokenLaws: readonly string[];
}

/** The result of a run that was killed after this many requests and cleaned up. */
export interface KilledRun {
  readonly part: 'killed-runs';
  readonly at: number;
  /** Differences from the state before the run. */
  readonly changed: readonly string[];
}

export type Result = DefectRun | VariantRun | EditRun | KilledRun;
