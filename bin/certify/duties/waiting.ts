import type { Breach } from '../../../conformance/verdict/law.ts';
import { readRetryAfter } from '../../../spec/limiter/throttled-reply.ts';
import { failedAttemptsIn, isSame, isToApi, knew, maxAttempts, type SentRequest, type Traffic } from '../traffic.ts';
import { backsOff } from './back-off.ts';
import type { Duty } from './duty.ts';

/** Milliseconds. Timers and clocks are not exact. */
const tolerance = 20;

/** The first request with the same key that was sent before Retry-After had passed, by a sender that can have known the 429. */
function tooEarly(throttled: SentRequest, { requests }: Traffic): SentRequest | undefined {
  const { seconds } = readRetryAfter(throttled.headers['retry-after']);
  if (seconds === undefined) return undefined;
  const connections = new Set<number>();
  for (const request of requests) {
    if (request.doneAt <= throttled.doneAt && request.connection !== null) connections.add(request.connection);
  }
  return requests.find(
    (request) =>
      isToApi(request) &&
      request.key === throttled.key &&
      request.sentAt < throttled.doneAt + seconds * 1000 - tolerance &&
      knew(request, throttled, connections),
  );
}

const waitsRetryAfter: Duty = {
  rule: 'client/waits-retry-after',
  advice: 'Wait for as many seconds as Retry-After says before any request with that key.',
  judge(all) {
    const breaches: Breach[] = [];
    let applied = 0;
    for (const traffic of all) {
      for (const throttled of traffic.requests) {
        if (throttled.status !== 429 || !isToApi(throttled)) continue;
        applied++;
        const early = tooEarly(throttled, traffic);
        if (early === undefined) continue;
        const waited = Math.round(early.sentAt - throttled.doneAt);
        const asked = throttled.headers['retry-after'];
        breaches.push({
          exchange: early,
          expected: `a wait of ${asked} s`,
          observed: `${waited} ms`,
          with: [throttled],
        });
      }
    }
    return { applied, breaches };
  },
};

const endsRetrying: Duty = {
  rule: 'client/ends-retrying',
  advice: 'Give up after a few attempts, and report the failure.',
  judge(all) {
    // Attempts that ended in a success say nothing about when the client gives up.
    const failed = all.flatMap(({ requests }) => failedAttemptsIn(requests));
    const endless = failed.filter(({ length }) => length > maxAttempts);
    const open = all.filter(({ stopped }) => stopped).flatMap(({ requests }) => failedAttemptsIn(requests));
    return {
      applied: failed.length,
      unclear: open.flatMap(({ length }) => (length > 1 ? [stillTrying(length)] : [])),
      breaches: endless.map((attempts) => ({
        exchange: attempts[maxAttempts] as SentRequest,
        expected: 'an end of attempts',
        observed: `${attempts.length} attempts`,
        with: [attempts[0] as SentRequest],
      })),
    };
  },
};

/** Said of a client that was stopped before it gave up. */
export const stillTrying = (attempts: number) =>
  `it was still trying after ${attempts} attempts when its run was stopped; a longer --timeout shows whether it gives up`;

const noNeedlessRetry: Duty = {
  rule: 'client/no-needless-retry',
  advice: 'Retry only after 429, 503 and lost replies: every other 4xx will be the same next time.',
  judge(all) {
    const isRefusal = ({ status }: SentRequest) =>
      status !== null && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
    const refusals = all.flatMap(({ requests }) =>
      requests.filter(isRefusal).map((request) => [request, requests[requests.indexOf(request) + 1]] as const),
    );
    const breaches = refusals.flatMap(([refused, next]): Breach[] =>
      next !== undefined && isSame(next, refused)
        ? [
            {
              exchange: next,
              expected: `an end after ${refused.status}`,
              observed: 'the same request again',
              with: [refused],
            },
          ]
        : [],
    );
    return { applied: refusals.length, breaches };
  },
};

/** Duties about waiting and retrying. */
export const waitingDuties: readonly Duty[] = [waitsRetryAfter, backsOff, noNeedlessRetry, endsRetrying];
