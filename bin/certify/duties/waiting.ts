import { readRetryAfter } from '../../../spec/limiter/throttled-reply.ts';
import {
  failedAttemptsIn,
  isSame,
  isToApi,
  knew,
  maxAttempts,
  type SentRequest,
  stillTrying,
  type Traffic,
} from '../traffic.ts';
import { type Case, type Duty, perRun } from './duty.ts';

/** Milliseconds. Timers and clocks are not exact. */
const tolerance = 20;

/** The first request with the same key that was sent before Retry-After had passed, by a sender that can have known the 429. */
function tooEarly(throttled: SentRequest, { requests }: Traffic): SentRequest | undefined {
  const { seconds } = readRetryAfter(throttled.headers['retry-after']);
  if (seconds === undefined) return undefined;
  return requests.find(
    (request) =>
      isToApi(request) &&
      request.key === throttled.key &&
      request.sentAt < throttled.doneAt + seconds * 1000 - tolerance &&
      knew(request, throttled),
  );
}

const isRefusal = ({ status }: SentRequest) =>
  status !== null && status >= 400 && status < 500 && ![408, 425, 429].includes(status);

/** Duties about waiting and retrying. */
export const waitingDuties: readonly Duty[] = [
  {
    rule: 'client/waits-retry-after',
    advice: 'Wait for as many seconds as Retry-After says before any request with that key.',
    under: ['throttled'],
    cases: perRun((run) =>
      run.requests
        .filter((request) => request.status === 429 && isToApi(request))
        .map((throttled): Case => {
          const early = tooEarly(throttled, run);
          if (early === undefined) return null;
          const waited = `${Math.round(early.sentAt - throttled.doneAt)} ms`;
          return [early, `a wait of ${throttled.headers['retry-after']} s`, waited, throttled];
        }),
    ),
  },
  {
    rule: 'client/no-needless-retry',
    advice: 'Retry only after 429, 503 and lost replies: every other 4xx will be the same next time.',
    under: ['url-expires', 'key-revoked', 'server-error'],
    cases: perRun(({ requests }) =>
      requests.flatMap((refused, n): Case[] => {
        const next = requests[n + 1];
        if (!isRefusal(refused)) return [];
        const isRetry = next !== undefined && isSame(next, refused);
        return [isRetry ? [next, `an end after ${refused.status}`, 'the same request again', refused] : null];
      }),
    ),
  },
  {
    rule: 'client/ends-retrying',
    advice: 'Give up after a few attempts, and report the failure.',
    under: ['down'],
    // Attempts that ended in a success say nothing about when the client gives up.
    cases: perRun(({ requests, stopped }) =>
      failedAttemptsIn(requests).map((attempts): Case => {
        const [first, { length }, last] = [attempts[0], attempts, attempts[maxAttempts]];
        if (first && last) return [last, 'an end of attempts', `${length} attempts`, first];
        return stopped && length > 1 ? stillTrying(length) : null;
      }),
    ),
  },
];
