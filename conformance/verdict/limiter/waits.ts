/** Whether the wait that a 429 asks for is enough, and needed. */

import { restSeconds } from '../../../spec/limiter/limit.ts';
import { judgeRetryAfter, readRetryAfter } from '../../../spec/limiter/throttled-reply.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { succeeded } from '../../history/exchange.ts';
import { noChance } from '../../numbers.ts';
import type { Evidence } from '../law.ts';
import { isAgain, isThrottled, type KeyUse, type Run, sampleOf, seenAgain } from './runs.ts';

const rule = 'limiter/waiting-retry-after-suffices';

/** The 429s after which nothing was sent with the key until their wait was over, and whether the next request was admitted. */
const waitsIn = (run: Run, { limit }: KeyUse) =>
  run.flatMap((throttled, i) => {
    const next = run[i + 1];
    const value = throttled.headers['retry-after'];
    const { seconds } = readRetryAfter(value);
    if (!isThrottled(throttled) || seconds === undefined || !next) return [];
    if (next.sentAt < throttled.doneAt + seconds * 1000) return [];
    // A throttled request may have taken a token, and counts as a 404 as well.
    const others = run
      .filter((one) => one !== throttled)
      .map(sampleOf)
      .flatMap((one) => (one.status === 429 ? [one, { ...one, status: 404 }] : [one]));
    const { verdict, reason } = judgeRetryAfter({ value, throttled: sampleOf(throttled), others, limit });
    return verdict === 'pass' || verdict === 'broken' ? [{ throttled, isEnough: verdict === 'pass', reason }] : [];
  });

/** Waits after which the next request was throttled, too. */
export const shortWaitsOf = (use: KeyUse) =>
  use.runs.flatMap((run) => waitsIn(run, use)).filter(({ isEnough }) => !isEnough);

/** Too short a wait must come again, and with other keys at the same moments, as another client may have used the key. */
export function judgeWaits(uses: readonly KeyUse[], evidenceOf: (rule: RuleId) => Evidence): void {
  const evidence = evidenceOf(rule);
  for (const use of uses)
    evidence.kept += use.runs.flatMap((run) => waitsIn(run, use)).filter(({ isEnough }) => isEnough).length;
  const waiting = uses.filter((use) => use.runs.some((run) => isAgain(run) && waitsIn(run, use).length > 0));
  for (const use of uses.filter(({ isReserved }) => isReserved)) {
    const short = shortWaitsOf(use);
    const [first] = short;
    if (first === undefined) continue;
    const { others, isProved } = seenAgain(use, waiting, (run, one) =>
      waitsIn(run, one).some(({ isEnough }) => !isEnough),
    );
    if (isProved)
      evidence.failures.push({
        exchange: first.throttled,
        expected: 'a request after the wait passes',
        observed: `${first.reason}, ${short.length} times, and with ${others.map(({ key }) => `key ${key}`).join(' and ')}`,
        with: [],
      });
    else evidence.unclear.push(`key ${use.key}: ${first.reason}; another client may use the key`);
  }
  judgeLongWaits(uses, evidence);
}

/** Waits of ten times what fills the whole bucket, after a tenth of which a request was admitted. */
function judgeLongWaits(uses: readonly KeyUse[], evidence: Evidence): void {
  const waits = uses.flatMap(({ exchanges, limit }) =>
    exchanges.flatMap((throttled, i) => {
      const { seconds = 0 } = readRetryAfter(throttled.headers['retry-after']);
      if (!isThrottled(throttled) || seconds < 10 * restSeconds(limit)) return [];
      const early = throttled.doneAt + seconds * 100;
      const next = exchanges
        .slice(i + 1)
        .find((one) => one.sentAt >= throttled.doneAt && (succeeded(one) || one.sentAt > early));
      const isEarly = next !== undefined && next.sentAt <= early;
      return next !== undefined && (isEarly || isThrottled(next)) ? [{ throttled, next, isEarly }] : [];
    }),
  );
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
