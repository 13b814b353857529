/** What the proof found out about a defect, from the best to the worst. */
export const fates = ['found by its own rule', 'found', 'unclear', 'missed'] as const;
export type Fate = (typeof fates)[number];

/** One trial that a single worker can do. */
export type Job =
  | {
      readonly part: 'defects';
      readonly id: string;
      readonly network: string;
      readonly seed: number;
      readonly probability: number;
      /** Runs in all, until the defect is found. */
      readonly repeat: number;
    }
  | { readonly part: 'variants'; readonly id: string; readonly network: string; readonly seed: number }
  | { readonly part: 'killed-runs'; readonly at: number };

type Of<Part extends Job['part']> = Extract<Job, { part: Part }>;

export interface DefectRun extends Of<'defects'> {
  readonly fate: Fate;
  /** How often the defect changed something. */
  readonly reached: number;
  /** Laws that found something. */
  readonly foundBy: readonly string[];
  /** Labels that differ from the state before the run. */
  readonly changed: readonly string[];
}

export interface VariantRun extends Of<'variants'> {
  /** `law: message`. */
  readonly falseAlarms: readonly string[];
  /** Documented musts that could not be judged, though the network was calm. */
  readonly unclear: readonly string[];
  readonly changed: readonly string[];
}

/** A run that was killed after this many requests and cleaned up. */
export interface KilledRun extends Of<'killed-runs'> {
  /** Differences from the state before the run. */
  readonly changed: readonly string[];
}

export type Result = DefectRun | VariantRun | KilledRun;
