import type { RuleId } from '../spec/generated/rules.ts';
import type { Deviations } from '../spec/limiter/judge.ts';
import type { Limit } from '../spec/limiter/limit.ts';
import { ask, measurement, type Phase, rest, volley } from '../spec/limiter/measurement.ts';

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

/** VUs that fire together once a second: six tenths of the key's rate, and never more than half of its burst. */
export const labelVus = ({ perSecond, burst }: Limit): number =>
  Math.max(2, Math.min(Math.floor(0.6 * perSecond), Math.floor(burst / 2), 20));

/** Kinds of records that may have a label, each read once before and settled with three requests after. */
const labelled = 3;

const KB = 1024;
const MB = 1024 * KB;

/** Sizes in bytes, taken in turn; one is beyond what the API itself accepts (10 MB), one is large. */
export const uploadSizes = [KB, 100 * KB, KB, MB, 11 * MB, KB, 50 * MB, 100 * KB] as const;

/** Flows started per second: each asks twice of the key (start and register), so half of its rate is used. */
export const flowsPerSecond = (perSecond: number): number => 0.25 * perSecond;

/** What one reply 429 shows. */
export const form429 = [
  'limiter/over-the-rate-is-429',
  'limiter/429-has-retry-after',
  'limiter/429-body-is-one-message',
] as const;

/** The scenarios that judge limiters, by name. */
const limits: Readonly<Record<string, Omit<LimitPlan, 'kind' | 'name'>>> = {
  burst: {
    summary: 'more than two buckets hold, in one tick on warm connections: as many pass as the burst allows',
    rules: ['limiter/burst', 'limiter/burst-reading', ...form429],
    keys: 'one',
    mustShow: { smallerBurst: 0.25, largerBurst: 0.25 },
    phases: (limit) => [volley(limit)],
  },
  fleet: {
    summary: 'every key at nine tenths of its rate at the same time: none may be throttled',
    rules: ['limiter/steady-rate', 'limiter/own-bucket-per-key'],
    keys: 'all',
    seconds: 60,
    mustShow: { slower: 0.2 },
    phases: ({ perSecond }, seconds) => [{ kind: 'steady', perSecond: 0.9 * perSecond, seconds }],
  },
  isolation: {
    summary: 'one key overloaded while another runs at half its rate: the other one is not touched',
    rules: ['limiter/own-bucket-per-key', 'limiter/over-the-rate-is-429'],
    keys: 'pair',
    seconds: 30,
    mustShow: {},
    phases: ({ perSecond }, seconds, position) => [
      { kind: 'steady', perSecond: (position === 0 ? 1.5 : 0.5) * perSecond, seconds },
    ],
  },
  measure: {
    summary:
      'volleys around the edges of windows, overload, a wait for Retry-After, then the rate: all that conformance sends too',
    rules: [
      'limiter/steady-rate',
      'limiter/burst',
      'limiter/burst-reading',
      'limiter/clustering-gains-nothing',
      ...form429,
      'limiter/waiting-retry-after-suffices',
    ],
    keys: 'one',
    mustShow: { slower: 0.2, faster: 0.2, smallerBurst: 0.25, largerBurst: 0.25 },
    phases: measurement,
  },
  overload: {
    summary:
      'a volley, then one and a half times the declared rate: the declared rate is admitted, not less and not more',
    rules: ['limiter/steady-rate', 'limiter/clustering-gains-nothing', ...form429],
    keys: 'one',
    seconds: 60,
    mustShow: { slower: 0.2, faster: 0.2 },
    // The volley first: a bucket that is empty from the start is measured more sharply than one that runs dry under even pacing.
    phases: (limit, seconds) => [volley(limit), { kind: 'steady', perSecond: 1.5 * limit.perSecond, seconds }],
  },
  paced: {
    summary: 'evenly paced at the declared rate: no request may be throttled',
    rules: ['limiter/steady-rate'],
    keys: 'one',
    seconds: 60,
    mustShow: { slower: 0.2 },
    phases: ({ perSecond }, seconds) => [{ kind: 'steady', perSecond, seconds }],
  },
  recover: {
    summary: 'an exhausted key waits for Retry-After and asks once more: it must pass; the 429 must be well-formed',
    rules: ['limiter/waiting-retry-after-suffices', ...form429],
    keys: 'one',
    mustShow: {},
    phases: (limit) =>
      Array.from({ length: 3 }, (): readonly Phase[] => [volley(limit), ask(limit), rest(limit)]).flat(),
  },
  refill: {
    summary: 'volleys after one idle second and after a full rest: idle time gives back the burst, and no more',
    rules: ['limiter/burst', 'limiter/steady-rate', 'limiter/over-the-rate-is-429', 'limiter/clustering-gains-nothing'],
    keys: 'one',
    mustShow: { smallerBurst: 0.25, largerBurst: 0.25 },
    phases: (limit) => [
      volley(limit),
      { kind: 'idle', seconds: 1 },
      volley(limit),
      rest(limit),
      volley(limit),
      rest(limit),
      volley(limit),
    ],
  },
  soak: {
    summary: 'every key at nine tenths of its rate for an hour, then one volley: nothing wears off',
    rules: ['limiter/steady-rate', 'limiter/burst', 'limiter/own-bucket-per-key'],
    keys: 'all',
    seconds: 3600,
    mustShow: { slower: 0.2, largerBurst: 0.25 },
    phases: (limit, seconds) => [{ kind: 'steady', perSecond: 0.9 * limit.perSecond, seconds }, volley(limit)],
  },
};

/** The others. */
const flows: Readonly<Record<FlowPlan['name'], Omit<FlowPlan, 'kind' | 'name'>>> = {
  labels: {
    summary: 'the same label applied and removed by many VUs at once: every reply and the end state are right',
    rules: [
      'labels/membership-is-a-set',
      'labels/apply-adds',
      'labels/apply-is-idempotent',
      'labels/remove-removes',
      'labels/remove-is-idempotent',
    ],
    seconds: 20,
    traffic: (limit, seconds) => ({
      requests: Math.floor(seconds) * labelVus(limit) + 4 * labelled,
      peakPerSecond: labelVus(limit) + labelled,
    }),
    leftovers: false,
  },
  upload: {
    summary: 'the three steps of an upload under load, files of 1 KB to 50 MB',
    rules: [
      'upload/start-is-201',
      'upload/target-file-key',
      'upload/target-url',
      'upload/put-accepts-bytes',
      'upload/file-may-exceed-10mb',
      'upload/register-takes-file-key',
    ],
    seconds: 20,
    traffic: ({ perSecond }, seconds) => ({
      requests: 1 + 2 * Math.ceil(flowsPerSecond(perSecond) * seconds),
      peakPerSecond: Math.ceil(2 * flowsPerSecond(perSecond)) + 1,
    }),
    leftovers: true,
  },
};

/** All scenarios. */
export const scenarioPlans: readonly ScenarioPlan[] = [
  ...Object.entries(limits).map(([name, plan]) => ({ ...plan, name, kind: 'limit' }) as const),
  ...(['labels', 'upload'] as const).map((name) => ({ ...flows[name], name, kind: 'flow' }) as const),
];

/** The scenario with this name, if there is one. */
export const scenarioPlan = (name: string): ScenarioPlan | undefined =>
  scenarioPlans.find((plan) => plan.name === name);
