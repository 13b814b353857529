import type { Limiter, RateLimit } from '../mock/keys/bucket.ts';

/** A request of a key: it reached the limiter at some moment from `sentAt` to `doneAt`. */
interface Request {
  readonly sentAt: number;
  readonly doneAt: number;
}

/** A recorded request, and those of the same key that passed, in the order of sending, itself among them. */
export interface Arrival {
  readonly request: Request;
  readonly throttled: boolean;
  readonly passed: readonly Request[];
}

/** Milliseconds. Longer ago, no request of a key can matter to a bucket that is full again within seconds. */
const horizon = 60_000;
const rounding = 1e-6;

/**
 * A token bucket that decides as was recorded wherever a network explains it: when each request arrived between sending and reply is open. Else it
 * decides the other way. The recorded decisions are what takes tokens, so
 * that one difference is not counted again in all that follow.
 */
export function explainedLimiter(limit: RateLimit, arrival: () => Arrival): Limiter {
  let { perSecond, burst } = limit;
  /** What passed and no bucket of this limit would have let pass. It takes no tokens. */
  const excess = new Set<Request>();
  return {
    take() {
      if (burst === Number.POSITIVE_INFINITY) return 0;
      const { request, throttled, passed } = arrival();
      const near = passed.filter(({ sentAt, doneAt }) => doneAt > request.sentAt - horizon && sentAt <= request.doneAt);
      const fewest = fewestTokens(request, near, { perSecond, burst });
      const counted = near.filter((one) => one !== request && !excess.has(one));
      const passes = throttled ? fewest >= 1 : mayPass(request, counted, { perSecond, burst });
      if (!passes && !throttled) excess.add(request);
      return passes ? 0 : Math.max(1, ((1 - Math.min(1, Math.max(0, fewest))) / perSecond) * 1000);
    },
    level: () => burst,
    limitTo(next) {
      ({ perSecond, burst } = next);
    },
    refill() {},
  };
}

/** The fewest tokens that the request can have met, whichever moments the others arrived at. */
function fewestTokens({ sentAt, doneAt }: Request, near: readonly Request[], { perSecond, burst }: RateLimit): number {
  const sent = near.map((one) => one.sentAt);
  const done = near.map((one) => one.doneAt).sort((a, b) => a - b);
  // More others can have arrived only from the moment at which one of them was sent.
  const moments = [sentAt, ...sent.filter((at) => at > sentAt && at < doneAt)];
  let fewest = burst;
  for (const moment of moments) {
    const begun = sent.filter((at) => at <= moment).length;
    for (const [ended, since] of [...done.filter((at) => at <= moment), moment].entries())
      fewest = Math.min(fewest, burst + ((moment - since) / 1000) * perSecond - (begun - ended));
  }
  return fewest;
}

/** Whether there is no time in which, with this one, more passed for certain than a full bucket and its refill allow. */
function mayPass({ sentAt, doneAt }: Request, near: readonly Request[], { perSecond, burst }: RateLimit): boolean {
  const within = near.filter((one) => one.doneAt <= doneAt && one.sentAt < sentAt).toReversed();
  return within.every((first, others) => others + 2 <= burst + ((doneAt - first.sentAt) / 1000) * perSecond + rounding);
}
