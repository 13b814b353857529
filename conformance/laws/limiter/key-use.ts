import { admissionOf } from '../../../spec/limiter/admission.ts';
import type { Judgement } from '../../../spec/limiter/judge.ts';
import type { Limit } from '../../../spec/limiter/limit.ts';
import { type Observation, restedRuns } from '../../../spec/limiter/observation.ts';
import type { Exchange } from '../../history/exchange.ts';

/** The requests with one key, and what they prove about its bucket. */
export interface KeyUse {
  /** `tenant/key`. */
  readonly key: string;
  readonly limit: Limit;
  /** Whether this key is reserved for the measurement. */
  readonly measured: boolean;
  /** In the order of sending, as in the history. */
  readonly exchanges: readonly Exchange[];
  readonly samples: readonly Observation[];
  readonly judgement: Judgement;
  readonly blame: Blame;
  /** Why another client that uses the key may be the cause; null where that is impossible. */
  readonly interference: string | null;
  /** What late replies say of the limiter or of the deployment; null where replies came soon. */
  readonly late: string | null;
  /** The requests that show that the key is shut for longer than Retry-After. */
  readonly shut: readonly Exchange[];
}

/** What shows that the limiter breaks a rule, in words. At least one is there if the limiter is proven wrong. */
export interface Blame {
  readonly rate?: string;
  readonly burst?: string;
  readonly clustering?: string;
}

export const sampleOf = ({ sentAt, doneAt, status }: Exchange): Observation => ({
  sentAt,
  doneAt,
  status: status ?? 0,
});

export const isThrottled = ({ status }: { readonly status: number | null }) => admissionOf(status ?? 0) === 'throttled';

/** The requests of one part of the measurement. */
export const samplesOf = ({ exchanges }: Pick<KeyUse, 'exchanges'>, part: string) =>
  exchanges.filter(({ situation }) => situation === `limiter/${part}`).map(sampleOf);

/**
 * When the bucket was surely full for the last time before a request, even if throttled requests had left it a whole burst below zero.
 */
export const fullSince = ({ samples, limit: { perSecond, burst } }: KeyUse, at: number): number =>
  restedRuns(samples, { perSecond, burst: 2 * burst }).reduce(
    (since, [first]) => (first !== undefined && first.sentAt <= at ? first.sentAt : since),
    Number.NEGATIVE_INFINITY,
  );

/** Adds a 404 for each throttled request: a request that may have taken a token. */
export const withRejected = (samples: readonly Observation[]): Observation[] =>
  samples.flatMap((sample) => (isThrottled(sample) ? [sample, { ...sample, status: 404 }] : [sample]));
