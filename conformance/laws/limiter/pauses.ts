import { restSeconds } from '../../../spec/limiter/limit.ts';
import { missingTokens } from '../../../spec/limiter/missing-tokens.ts';
import { readRetryAfter } from '../../../spec/limiter/reply/retry-after.ts';
import type { Exchange } from '../../history/exchange.ts';
import { heldAtOnce } from './interference.ts';
import { isThrottled, type KeyUse, sampleOf, withRejected } from './key-use.ts';

/** A throttled request after which nothing was sent with the key until Retry-After had passed, and the next request. */
interface Pause {
  readonly throttled: Exchange;
  readonly next: Exchange;
}

/** @param exchanges with one key, in the order of sending */
export const pausesIn = (exchanges: readonly Exchange[]): readonly Pause[] =>
  exchanges.flatMap((throttled, index) => {
    const next = exchanges[index + 1];
    const { seconds } = readRetryAfter(throttled.headers['retry-after']);
    const isPause =
      isThrottled(throttled) && seconds !== undefined && next && next.sentAt >= throttled.doneAt + seconds * 1000;
    return isPause ? [{ throttled, next }] : [];
  });

/** So many throttled retries in a row are no chance. */
const minRetries = 3;

/**
 * Requests that show that a key is shut after a 429 for longer than its Retry-After, without another client: time after time, nothing was sent until
 * Retry-After had passed, and the next request was throttled, while a rested key admits its burst.
 */
export function shutAfter({
  exchanges,
  samples,
  limit,
}: Pick<KeyUse, 'exchanges' | 'samples' | 'limit'>): readonly Exchange[] {
  const rested = heldAtOnce(samples, limit).filter(({ low }) => low > limit.burst - 2);
  const again = exchanges.filter(({ situation }) => situation === 'limiter/again');
  // Pauses that are too short to fill the bucket.
  const retries = pausesIn(again).flatMap(({ throttled, next }) =>
    next.sentAt - throttled.doneAt < restSeconds(limit) * 1000 ? [next] : [],
  );
  const isShut =
    rested.length > 1 &&
    retries.length >= minRetries &&
    retries.every(isThrottled) &&
    missingTokens(limit, withRejected(again.map(sampleOf))) > 0;
  return isShut ? retries : [];
}
