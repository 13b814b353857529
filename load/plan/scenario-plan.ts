import type { RuleId } from '../../spec/generated/rules.ts';
import type { Deviations, Limit } from '../../spec/rate-limit.ts';

/** One step of what is done with a key. Seconds and requests per second. */
export type Phase =
  /** Evenly paced, whatever the answers are. */
  | { readonly kind: 'steady'; readonly perSecond: number; readonly seconds: number }
  /** All in one tick, over connections that were opened before. */
  | { readonly kind: 'volley'; readonly requests: number }
  | { readonly kind: 'idle'; readonly seconds: number }
  /** Few in one tick; where one is throttled, its Retry-After is waited for (and what the others took), and one more is sent. */
  | { readonly kind: 'ask'; readonly requests: number };

/** Which keys of the target a scenario drives: one kept for limits, two, or every one that is not revoked. */
export type KeyChoice = 'one' | 'pair' | 'all';

/** A scenario that judges limiters, as data; its journey is the same for all (`k6/limit-journey.ts`). */
export interface LimitPlan {
  readonly kind: 'limit';
  readonly name: string;
  /** What it does and shows, in one line. */
  readonly summary: string;
  /** The rules that its thresholds name. */
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
  readonly name: string;
  readonly summary: string;
  readonly rules: readonly RuleId[];
  readonly seconds: number;
  /** Requests that count against the key: how many, and how many in the fullest second. */
  traffic(limit: Limit, seconds: number): { readonly requests: number; readonly peakPerSecond: number };
  /** Whether it leaves something behind that the API cannot remove. */
  readonly leftovers: boolean;
}

export type ScenarioPlan = LimitPlan | FlowPlan;

/** How long a key rests before anything is asked of it, so that its bucket is full whatever was done before. */
export const restSeconds = ({ perSecond, burst }: Limit): number => burst / perSecond + 1;

/** Enough to show a burst that is a quarter larger than the most generous reading (burst + perSecond + 1). */
export const volleySize = ({ perSecond, burst }: Limit): number =>
  Math.max(2 * burst, Math.ceil(1.25 * (burst + perSecond + 1)) + 1);
