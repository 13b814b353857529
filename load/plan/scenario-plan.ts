import type { RuleId } from '../../spec/generated/rules.ts';
import type { Deviations } from '../../spec/limiter/judge.ts';
import type { Limit } from '../../spec/limiter/limit.ts';
import type { Phase } from '../../spec/limiter/measurement.ts';

/** Which keys of the target a scenario drives: one kept for limits, two, or every one that is not revoked. */
export type KeyChoice = 'one' | 'pair' | 'all';

/** A scenario that judges limiters, as data; its journey is the same for all (`k6/limit-journey.ts`). */
export interface LimitPlan {
  readonly kind: 'limit';
  readonly name: string;
  /** What the scenario does and shows, in one line. */
  readonly summary: string;
  /** The rules that the thresholds of the scenario name. */
  readonly rules: readonly RuleId[];
  readonly keys: KeyChoice;
  /** How long the main phase lasts unless --duration says otherwise; absent where the length follows from the limit. */
  readonly seconds?: number;
  /** Deviations that a run must be able to show before it may pass (see `judge`). */
  readonly mustShow: Deviations;
  /** @param position of the key among the driven ones: the pair's first is overloaded, its second is not. */
  phases(limit: Limit, seconds: number, position: number): readonly Phase[];
}

/** A scenario that judges something else under load, within the key's rate. */
export interface FlowPlan {
  readonly kind: 'flow';
  /** The name of the scenario, which has a journey of its own in `k6/`. */
  readonly name: 'labels' | 'upload';
  readonly summary: string;
  readonly rules: readonly RuleId[];
  readonly seconds: number;
  /** Requests that count against the key: how many, and how many in the fullest second. */
  traffic(limit: Limit, seconds: number): { readonly requests: number; readonly peakPerSecond: number };
  /** Whether the scenario leaves files behind that the API cannot remove. */
  readonly leftovers: boolean;
}

export type ScenarioPlan = LimitPlan | FlowPlan;
