/** Whether the wait that a 429 asks for is enough, and needed. */
import { judgeRetryAfter } from '../../../spec/limiter/judge-retry-after.ts';
import { type Limit, restSeconds } from '../../../spec/limiter/limit.ts';
import { readRetryAfter } from '../../../spec/limiter/throttled-reply.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { noChance } from '../../numbers.ts';
import type { Evidence } from '../law.ts';
import { againId } from './buckets.ts';
import { isThrottled, type KeyUse, sampleOf } from './runs.ts';

const rule = 'limiter/waiting-retry-after-suffices';

/** A 429 after which nothing was sent with the key until its wait was over, and whether the next request was admitted. */
function* waitsOf({ runs, limit }: KeyUse) {
  for (const run of runs)
    for (const [i, throttled] of run.entries()) {
      const next = run[i + 1];
      const { seconds } = readRetryAfter(throttled.headers['retry-after']);
      if (!isThrottled(throttled) || seconds === undefined || !next) continue;
      if (next.sentAt < throttled.doneAt + seconds * 1000) continue;
      const { verdict, reason } = judgeRetryAfter({
        value: throttled.headers['retry-after'],
        throttled: sampleOf(throttled),
        others: withRejected(run.filter((one) => one !== throttled)),
        limit,
      });
      if (verdict === 'pass' || verdict === 'broken') yield { throttled, isEnough: verdict === 'pass', reason };
    }
}

/** Waits after which the next request was throttled, too. */
export const shortWaitsOf = (use: KeyUse) => [...waitsOf(use)].filter(({ isEnough }) => !isEnough);

/** Adds a 404 for each throttled request: one that may have taken a token. */
const withRejected = (exchanges: readonly Exchange[]) =>
  exchanges.map(sampleOf).flatMap((one) => (one.status === 429 ? [one, { ...one, status: 404 }] : [one]));

/** Too short a wait must come again, and with other keys at the same moments, as another client may have used the key. */
export function judgeWaits(uses: readonly KeyUse[], evidenceOf: (rule: RuleId) => Evidence): void {
  const evidence = evidenceOf(rule);
  const waits = uses.map((use) => ({ use, waits: [...waitsOf(use)] }));
  evidence.kept += waits.flatMap((one) => one.waits.filter(({ isEnough }) => isEnough)).length;
  const isAgain = ({ throttled }: { throttled: Exchange }) => throttled.script.startsWith(againId);
  for (const { use, waits: own } of waits.filter(({ use: { isReserved } }) => isReserved)) {
    const short = own.filter(({ isEnough }) => !isEnough);
    const [first] = short;
    if (first === undefined) continue;
    const others = waits.filter((one) => one.use !== use && one.waits.some(isAgain));
    const shortOfOthers = others.filter((one) => one.waits.some((wait) => isAgain(wait) && !wait.isEnough));
    if (short.some(isAgain) && others.length > 0 && shortOfOthers.length === others.length)
      evidence.failures.push({
        exchange: first.throttled,
        expected: 'a request after the wait passes',
        observed: `${first.reason}, ${short.length} times, and with ${others.map((one) => `key ${one.use.key}`).join(' and ')}`,
        with: [],
      });
    else evidence.unclear.push(`key ${use.key}: ${first.reason}; another client may use the key`);
  }
  judgeLongWaits(uses, evidence);
}

/** Waits of ten times what fills the whole bucket, after a tenth of which a request was admitted. */
function judgeLongWaits(uses: readonly KeyUse[], evidence: Evidence): void {
  const waits = uses.flatMap(({ exchanges, limit }) => [...longWaits(exchanges, limit)]);
  const [first] = waits;
  if (first === undefined || waits.length < noChance || !waits.every(({ isEarly }) => isEarly)) return;
  const { throttled, next } = first;
  evidence.failures.push({
    exchange: throttled,
    expected: 'Retry-After, the seconds to wait',
    observed: `Retry-After: ${throttled.headers['retry-after']}, and a request ${((next.sentAt - throttled.doneAt) / 1000).toFixed(2)} s later was admitted; perhaps milliseconds`,
    with: [next],
  });
}

function* longWaits(exchanges: readonly Exchange[], limit: Limit) {
  for (const [i, throttled] of exchanges.entries()) {
    const { seconds = 0 } = readRetryAfter(throttled.headers['retry-after']);
    if (!isThrottled(throttled) || seconds < 10 * restSeconds(limit)) continue;
    const early = throttled.doneAt + seconds * 100;
    const next = exchanges
      .slice(i + 1)
      .find((one) => one.sentAt >= throttled.doneAt && (succeeded(one) || one.sentAt > early));
    const isEarly = next !== undefined && next.sentAt <= early;
    if (next !== undefined && (isEarly || isThrottled(next))) yield { throttled, next, isEarly };
  }
}
