import { isToApi, type SentRequest, type Traffic } from '../traffic.ts';
import { type Case, type Duty, perRun } from './duty.ts';

/** Fewer requests than this show no habit, and fewer cases may be chance. */
const [minRequests, minCases] = [8, 5];
const needs = `${minRequests} requests in one run`;

/** What a share of the requests is in everyday runs. Applies to no run in which that cannot be told. */
const habit = (
  casesIn: (run: Traffic) => { readonly cases: readonly SentRequest[]; readonly all: readonly SentRequest[] },
  share: number,
  expected: string,
  did: string,
): Duty['cases'] =>
  perRun((run): Case[] => {
    const { cases, all } = casesIn(run);
    const last = cases.at(-1);
    const isFrequent = last !== undefined && cases.length >= all.length * share;
    if (run.varied || all.length < minRequests || (isFrequent && cases.length < minCases)) return [];
    return [isFrequent ? [last, expected, `${cases.length} of ${all.length} requests ${did}`] : null];
  });

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
  {
    rule: 'client/below-the-rate',
    advice: 'Spread requests over time: 10 a second is what a key has by default.',
    needs,
    cases: habit(
      ({ requests }) => {
        const all = requests.filter(isToApi);
        return { all, cases: all.filter(({ status, fault }) => status === 429 && !fault) };
      },
      1 / 10,
      'requests below the rate',
      'throttled',
    ),
  },
  {
    rule: 'client/lists-once',
    advice: 'Cache the ids of labels for some minutes.',
    needs,
    cases: habit(
      ({ requests }) => {
        const cases = requests.filter(({ operation, status }) => operation === 'listLabels' && status === 200);
        return { all: requests, cases };
      },
      1 / 3,
      'the list now and then',
      'asked for the list',
    ),
  },
  {
    rule: 'client/reuses-connections',
    advice: 'Keep connections open: use one client object or session for all requests.',
    needs: `${minRequests} requests after the first, not all at once`,
    cases: habit(
      ({ requests }) => {
        const known = requests.filter(({ connection }) => connection !== null);
        const all = known.slice(1).filter((request, index) => couldReuse(request, known.slice(0, index + 1)));
        const isFirst = (request: SentRequest) =>
          known.find(({ connection }) => connection === request.connection) === request;
        return { all, cases: all.filter(isFirst) };
      },
      9 / 10,
      'connections that are used again',
      'opened another',
    ),
  },
];
