import { judgeRetryAfter } from '../../../spec/limiter/judge-retry-after.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { type Breach, lawOf } from '../judging/law.ts';
import { fullSince, type KeyUse, sampleOf, withRejected } from './key-use.ts';
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
