import type { Finding } from '../../../conformance/verdict/law.ts';
import { isToApi, type SentRequest } from '../traffic.ts';
import { type Duty, dutyOfHabits } from './duty.ts';

/** Fewer requests than this show no habit, and fewer cases may be chance. */
const [minRequests, minCases] = [8, 5];
const needs = `${minRequests} requests in one run`;

/** Breaks a duty if too large a share of the requests are such cases; applies to none if that cannot be told. */
function habit(
  cases: readonly SentRequest[],
  all: readonly SentRequest[],
  share: number,
  expected: string,
  did: string,
): Finding {
  const last = cases.at(-1);
  const isFrequent = last !== undefined && cases.length >= all.length * share;
  if (all.length < minRequests || (isFrequent && cases.length < minCases)) return { applied: 0, breaches: [] };
  const observed = `${cases.length} of ${all.length} requests ${did}`;
  return { applied: all.length, breaches: isFrequent ? [{ exchange: last, expected, observed }] : [] };
}

/** Milliseconds for which servers surely keep an idle connection. */
const keepAlive = 4_000;

/** Whether a connection was open and idle when the request was sent. */
const couldReuse = ({ sentAt }: SentRequest, before: readonly SentRequest[]): boolean =>
  [...Map.groupBy(before, ({ connection }) => connection).values()].some((used) => {
    const idleSince = Math.max(...used.map(({ doneAt }) => doneAt));
    return idleSince <= sentAt && sentAt - idleSince < keepAlive;
  });

/** Duties about the everyday behaviour of a client. */
export const habitDuties: readonly Duty[] = [
  dutyOfHabits({
    rule: 'client/below-the-rate',
    advice: 'Spread requests over time: 10 a second is what a key has by default.',
    needs,
    judge({ requests }) {
      const sent = requests.filter(isToApi);
      const throttled = sent.filter(({ status, fault }) => status === 429 && !fault);
      return habit(throttled, sent, 1 / 10, 'requests below the rate', 'throttled');
    },
  }),
  dutyOfHabits({
    rule: 'client/lists-once',
    advice: 'Cache the ids of labels for some minutes.',
    needs,
    judge({ requests }) {
      const lists = requests.filter(({ operation, status }) => operation === 'listLabels' && status === 200);
      return habit(lists, requests, 1 / 3, 'the list now and then', 'asked for the list');
    },
  }),
  dutyOfHabits({
    rule: 'client/reuses-connections',
    advice: 'Keep connections open: use one client object or session for all requests.',
    needs: `${minRequests} requests after the first, not all at once`,
    judge({ requests }) {
      const known = requests.filter(({ connection }) => connection !== null);
      const could = known.slice(1).filter((request, index) => couldReuse(request, known.slice(0, index + 1)));
      const fresh = could.filter(
        (request) => known.find(({ connection }) => connection === request.connection) === request,
      );
      return habit(fresh, could, 9 / 10, 'connections that are used again', 'opened another');
    },
  }),
];
