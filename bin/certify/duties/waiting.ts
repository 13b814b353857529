import { readRetryAfter } from '../../../spec/limiter/throttled-reply.ts';
import { durationInWords } from '../../../spec/text/time-in-words.ts';
import {
  attemptsIn,
  isFailure,
  isSame,
  isToApi,
  knew,
  maxAttempts,
  type SentRequest,
  stillTrying,
} from '../traffic.ts';
import { anError, type Case, type Duty, perRun } from './duty.ts';

/** Milliseconds. Timers and clocks are not exact. */
const tolerance = 20;

/** Duties about waiting and retrying. */
export const waitingDuties: readonly Duty[] = [
  {
    rule: 'client/waits-retry-after',
    advice: 'Wait for as many seconds as Retry-After says before any request with that key.',
    under: ['throttled'],
    needs: 'get a 429',
    cases: perRun((run) =>
      run.requests
        .filter((request) => request.status === 429 && isToApi(request))
        .map((throttled): Case => {
          const { 'retry-after': asked } = throttled.headers;
          const { seconds = 0 } = readRetryAfter(asked);
          // By a sender that can have known the 429.
          const early = run.requests.find(
            (request) =>
              isToApi(request) &&
              request.key === throttled.key &&
              request.sentAt < throttled.doneAt + seconds * 1000 - tolerance &&
              knew(request, throttled, run.requests),
          );
          if (early === undefined) return null;
          return [
            early,
            `a wait of ${asked} s (Retry-After: ${asked})`,
            durationInWords(early.sentAt - throttled.doneAt),
            throttled,
          ];
        }),
    ),
  },
  {
    rule: 'client/no-needless-retry',
    advice: 'Retry only after 429, 503 and lost replies: every other 4xx will be the same next time.',
    under: ['url-expires', 'key-revoked', 'server-error'],
    needs: anError,
    cases: perRun(({ requests }) =>
      requests.flatMap((refused, n): Case[] => {
        const [next, status] = [requests[n + 1], refused.status ?? 0];
        if (status < 400 || status >= 500 || [408, 425, 429].includes(status)) return [];
        const isRetry = next !== undefined && isSame(next, refused);
        return [isRetry ? [next, `an end after ${refused.status}`, 'the same request again', refused] : null];
      }),
    ),
  },
  {
    rule: 'client/ends-retrying',
    advice: 'Give up after a few attempts, and report the failure.',
    under: ['down'],
    needs: 'send a request that fails in the end',
    cases: perRun(({ requests, stopped }) =>
      attemptsIn(requests).flatMap((attempts): Case[] => {
        const isOver = !attempts.every(isFailure);
        // Many senders of one request may take turns to be throttled until one succeeds.
        const failed = attempts.filter((one) => isFailure(one) && !(isOver && one.status === 429));
        const [first, { length }, last] = [failed[0], failed, failed[maxAttempts]];
        if (first && last) return [[last, 'an end of attempts', `${length} attempts`, first]];
        // A success after a few attempts says nothing about when the client gives up.
        if (isOver) return [];
        return [stopped && length > 1 ? stillTrying(length) : null];
      }),
    ),
  },
];

/** Fewer requests than this show no habit, and fewer cases may be chance. */
const [minRequests, minCases] = [8, 5];
const needs = `send ${minRequests} requests in one run`;

/** Broken if a share of the requests of an everyday run are such. Applies to no run in which that cannot be told. */
const habit = (
  isMeant: (request: SentRequest, earlier: readonly SentRequest[]) => boolean,
  isSuch: (request: SentRequest, earlier: readonly SentRequest[]) => boolean,
  share: number,
  expected: string,
  did: string,
): Duty['cases'] =>
  perRun(({ varied, requests }): Case[] => {
    const all = requests.filter((request, n) => isMeant(request, requests.slice(0, n)));
    const such = all.filter((request) => isSuch(request, requests.slice(0, requests.indexOf(request))));
    const [first] = such;
    const isFrequent = first !== undefined && such.length >= all.length * share;
    if (varied || all.length < minRequests || (isFrequent && such.length < minCases)) return [];
    return [isFrequent ? [first, expected, `${such.length} of ${all.length} requests ${did}`] : null];
  });

/** Milliseconds for which servers surely keep an idle connection. */
const keepAlive = 4_000;

/** Whether a connection was open and idle when the request was sent. */
const couldReuse = ({ sentAt, connection }: SentRequest, earlier: readonly SentRequest[]): boolean =>
  connection !== null &&
  [...Map.groupBy(earlier, (one) => one.connection)].some(([known, used]) => {
    const idleSince = Math.max(...used.map(({ doneAt }) => doneAt));
    return known !== null && idleSince <= sentAt && sentAt - idleSince < keepAlive;
  });

/** Duties about the everyday behaviour of a client. */
export const habitDuties: readonly Duty[] = [
  {
    rule: 'client/below-the-rate',
    advice: 'Spread requests over time: 10 a second is what a key has by default.',
    needs,
    cases: habit(isToApi, ({ status, fault }) => status === 429 && !fault, 0.1, 'requests below the rate', 'throttled'),
  },
  {
    rule: 'client/lists-once',
    advice: 'Cache the ids of labels for some minutes.',
    needs,
    cases: habit(
      () => true,
      ({ operation, status }) => operation === 'listLabels' && status === 200,
      1 / 3,
      'the list now and then',
      'got the list',
    ),
  },
  {
    rule: 'client/reuses-connections',
    advice: 'Keep connections open: use one client object or session for all requests.',
    needs: `send ${minRequests + 1} requests in one run, one after the other`,
    cases: habit(
      couldReuse,
      ({ connection }, earlier) => !earlier.some((one) => one.connection === connection),
      9 / 10,
      'connections that are used again',
      'opened another',
    ),
  },
];
