import { isToApi, type SentRequest } from '../traffic.ts';
import { type Duty, dutyOfHabits } from './duty.ts';

/** Fewer requests than this show no habit. */
const minRequests = 20;

const last = (requests: readonly SentRequest[]) => requests.at(-1) as SentRequest;

/** Duties about the everyday behaviour of a client. */
export const habitDuties: readonly Duty[] = [
  dutyOfHabits({
    rule: 'client/below-the-rate',
    title: 'fewer than one in ten requests is throttled',
    advice: 'Spread requests over time: 10 a second is what a key has by default.',
    judge({ requests }) {
      const sent = requests.filter(isToApi);
      const throttled = sent.filter(({ status, fault }) => status === 429 && !fault);
      const tooMany = throttled.length >= 5 && throttled.length * 10 >= sent.length;
      const observed = `${throttled.length} of ${sent.length} throttled`;
      return {
        applied: sent.length,
        breaches: tooMany ? [{ exchange: last(throttled), expected: 'requests below the rate', observed }] : [],
      };
    },
  }),
  dutyOfHabits({
    rule: 'client/lists-once',
    title: 'fewer than one in three requests asks for the list of labels',
    advice: 'Cache the ids of labels for some minutes.',
    judge({ requests }) {
      const lists = requests.filter(({ operation, status }) => operation === 'listLabels' && status === 200);
      const tooMany = lists.length >= minRequests && lists.length * 3 >= requests.length;
      const observed = `${lists.length} of ${requests.length} requests asked for the list`;
      return {
        applied: lists.length,
        breaches: tooMany ? [{ exchange: last(lists), expected: 'the list now and then', observed }] : [],
      };
    },
  }),
  dutyOfHabits({
    rule: 'client/reuses-connections',
    title: `${minRequests} requests or more share connections`,
    advice: 'Keep connections open: use one client object or session for all requests.',
    judge({ requests }) {
      const known = requests.filter(({ connection }) => connection !== null);
      const connections = new Set(known.map(({ connection }) => connection)).size;
      const oneEach = known.length >= minRequests && connections >= known.length * 0.9;
      const observed = `${connections} connections for ${known.length} requests`;
      return {
        applied: known.length,
        breaches: oneEach ? [{ exchange: last(known), expected: 'connections that are used again', observed }] : [],
      };
    },
  }),
];
