/** What makes a missing assertion show. `npm run proof` fails on any of these. */
export type Witness =
  /** A check of the broken rule no longer fails on the defect. */
  | { readonly kind: 'lost'; readonly defect: string; readonly check: string }
  /** A check that could not tell about the defect now passes or fails. */
  | { readonly kind: 'judged'; readonly defect: string; readonly check: string }
  /** A check finds fault with a deployment that keeps the contract. */
  | { readonly kind: 'alarm'; readonly variant: string; readonly network: string; readonly check: string };

/** What the whole proof finds in one defect with every assertion in place, and which of them threw. */
export interface Baseline {
  readonly defect: string;
  readonly killedBy: readonly string[];
  readonly inconclusive: readonly string[];
  /** Numbers of assertions by the check that they ended. */
  readonly thrown: Readonly<Record<string, readonly number[]>>;
  /** Numbers of those that threw and were caught. */
  readonly caught: readonly number[];
}

/** The same for a variant, of which nothing may be found. */
export interface VariantBaseline {
  readonly variant: string;
  readonly network: string;
  readonly thrown: readonly number[];
}

/** A defect on which the assertion threw, and the checks that it ended there; all checks where it was caught. */
export interface Candidate {
  readonly baseline: Pick<Baseline, 'defect' | 'killedBy' | 'inconclusive'>;
  readonly checks: readonly string[] | null;
}

export type MutationJob =
  | { readonly kind: 'defects'; readonly ids: readonly string[] }
  | { readonly kind: 'variant'; readonly variant: string; readonly network: string }
  /** Looks for the first of the candidates that shows that the assertion is not there. */
  | {
      readonly kind: 'mutant';
      readonly number: number;
      readonly candidates: readonly Candidate[];
      readonly variants: readonly VariantBaseline[];
    }
  /** Looks whether a witness found before still shows it. */
  | { readonly kind: 'witness'; readonly number: number; readonly witness: Witness };

export type MutationResult =
  | { readonly kind: 'defects'; readonly baselines: readonly Baseline[] }
  | { readonly kind: 'variant'; readonly baseline: VariantBaseline }
  | { readonly kind: 'mutant'; readonly number: number; readonly witness: Witness | null };
