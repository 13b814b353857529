import { isToApi, type SentRequest } from '../traffic.ts';
import { type Case, type Duty, perRun } from './duty.ts';

/** Fewer requests than this show no habit, and fewer cases may be chance. */
const [minRequests, minCases] = [8, 5];
const needs = `${minRequests} requests in one run`;

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
    const last = such.at(-1);
    const isFrequent = last !== undefined && such.length >= all.length * share;
    if (varied || all.length < minRequests || (isFrequent && such.length < minCases)) return [];
    return [isFrequent ? [last, expected, `${such.length} of ${all.length} requests ${did}`] : null];
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
    cases: habit(
      isToApi,
      ({ status, fault }) => status === 429 && !fault,
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
      () => true,
      ({ operation, status }) => operation === 'listLabels' && status === 200,
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
      couldReuse,
      ({ connection }, earlier) => !earlier.some((one) => one.connection === connection),
      9 / 10,
      'connections that are used again',
      'opened another',
    ),
  },
];
