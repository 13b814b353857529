import { judgeRetryAfter } from '../../../spec/limiter/judge-retry-after.ts';
import { restSeconds } from '../../../spec/limiter/limit.ts';
import { readRetryAfter } from '../../../spec/limiter/reply/retry-after.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { type Breach, type Law, lawOf } from '../judging/law.ts';
import { fullSince, isThrottled, type KeyUse, sampleOf, withRejected } from './key-use.ts';
import { keysIn } from './keys-in.ts';
import { pausesIn } from './pauses.ts';

/** Milliseconds. Tokens of older requests are refilled long since. */
const maxMemory = 120_000;

export const waitSuffices = lawOf(
  'limiter/waiting-retry-after-suffices',
  'after the wait that Retry-After names, one request is admitted',
  (history) => {
    let applied = 0;
    const breaches: Breach[] = [];
    const unclear = new Set<string>();
    for (const use of keysIn(history)) {
      for (const { throttled: exchange } of pausesIn(use.exchanges)) {
        const from = fullSince(use, exchange.sentAt);
        const near = use.exchanges.filter(
          (one) => one !== exchange && one.sentAt >= from && Math.abs(one.sentAt - exchange.sentAt) < maxMemory,
        );
        const judged = judgeRetryAfter({
          value: exchange.headers['retry-after'],
          throttled: sampleOf(exchange),
          // Throttled requests may take tokens, too.
          others: withRejected(near.map(sampleOf)),
          limit: use.limit,
        });
        if (judged.verdict === 'pass' || judged.verdict === 'broken') applied++;
        if (judged.verdict !== 'broken') continue;
        if (use.interference && !isUndisturbed(exchange, use)) unclear.add(use.interference);
        else breaches.push({ exchange, expected: 'a request after the wait passes', observed: judged.reason });
      }
    }
    return { applied, breaches, unclear: [...unclear] };
  },
);

/** Whether the key admitted its burst within a second of this 429, so that another client can hardly have exhausted it shortly afterwards. */
const isUndisturbed = ({ situation, sentAt }: Exchange, { exchanges, limit }: KeyUse) =>
  exchanges.filter(
    (one) => !one.paced && one.situation === situation && Math.abs(one.sentAt - sentAt) < 1_000 && succeeded(one),
  ).length >= limit.burst;

/** A wait is too long if this many requests are admitted in a tenth of it. */
const minEarly = 3;

/** A Retry-After of ten times what fills the whole bucket, with the first request after its 429 that was admitted early, or throttled late. */
function* longWaits({ exchanges, limit }: KeyUse) {
  for (const [i, throttled] of exchanges.entries()) {
    const { seconds = 0 } = readRetryAfter(throttled.headers['retry-after']);
    if (!isThrottled(throttled) || seconds < 10 * restSeconds(limit)) continue;
    const early = throttled.doneAt + seconds * 100;
    const next = exchanges
      .slice(i + 1)
      .find((one) => one.sentAt >= throttled.doneAt && (succeeded(one) || one.sentAt > early));
    const isEarly = next !== undefined && next.sentAt <= early;
    if (isEarly || (next !== undefined && isThrottled(next))) yield { throttled, next, isEarly };
  }
}

export const waitIsNeeded: Law = {
  id: 'limiter/waiting-retry-after-suffices/no-longer-than-needed',
  rule: 'limiter/waiting-retry-after-suffices',
  title: 'no Retry-After is ten times as long as the wait that is needed',
  judge(history) {
    const waits = keysIn(history).flatMap((use) => [...longWaits(use)]);
    const isTooLong = waits.length >= minEarly && waits.every(({ isEarly }) => isEarly);
    return {
      applied: history.exchanges.filter(isThrottled).length,
      breaches: (isTooLong ? waits : []).map(({ throttled, next }) => ({
        exchange: throttled,
        expected: 'Retry-After, the seconds to wait',
        observed: `Retry-After: ${throttled.headers['retry-after']}, and a request ${((next.sentAt - throttled.doneAt) / 1000).toFixed(2)} s later was admitted; perhaps milliseconds`,
        with: [next],
      })),
    };
  },
};
