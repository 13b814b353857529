import type { Limiter, RateLimit } from '../mock/keys/bucket.ts';
import { EPSILON, envelope } from '../spec/limiter/envelope.ts';

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

/**
 * A token bucket that decides as was recorded wherever a network explains it: when each request arrived between sending and reply is open. Else it
 * decides the other way. The recorded decisions are what takes tokens, so that one difference is not counted again in all that follow.
 */
export function explainedLimiter(limit: RateLimit, arrival: () => Arrival): Limiter {
  let { perSecond, burst } = limit;
  /** What passed and no bucket of this limit would have let pass. It takes no tokens. */
  const excess = new Set<Request>();
  const among = (others: readonly Request[], request: Request, status: number) =>
    envelope(
      [...others.map(({ sentAt, doneAt }) => ({ sentAt, doneAt, status: 200 })), { ...request, status }],
      { perSecond, burst },
      { skewMs: 0 },
    );
  return {
    take() {
      if (burst === Number.POSITIVE_INFINITY) return 0;
      const { request, throttled, passed } = arrival();
      const rate = perSecond / 1000;
      const near = passed.filter(({ sentAt, doneAt }) => doneAt > request.sentAt - horizon && sentAt <= request.doneAt);
      // Who is throttled waits for a token at the longest.
      if (throttled) return burst - among(near, request, 429).refuse(rate).taken >= 1 ? 0 : 1 / rate;
      const before = near.filter((one) => one !== request && one.sentAt <= request.sentAt && !excess.has(one));
      if (among(before, request, 200).crowd(rate).excess <= burst + EPSILON) return 0;
      excess.add(request);
      return 1 / rate;
    },
    level: () => burst,
    limitTo(next) {
      ({ perSecond, burst } = next);
    },
  };
}
