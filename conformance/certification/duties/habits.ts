import { isToApi, type SentRequest } from '../traffic.ts';
import { type Duty, dutyOfHabits } from './duty.ts';

/** So few requests make no habit. */
const few = 20;

const last = (requests: readonly SentRequest[]) => requests.at(-1) as SentRequest;

/** How a client behaves where nothing is made difficult for it. */
export const habitDuties: readonly Duty[] = [
  dutyOfHabits({
    rule: 'client/below-the-rate',
    title: 'fewer than one in ten requests is throttled',
    advice: 'Spread requests over time: 10 a second is what a key has by default.',
    judge({ requests }) {
      const sent = requests.filter(isToApi);
      const throttled = sent.filter(({ status, fault }) => status === 429 && !fault);
      const lives = throttled.length >= 5 && throttled.length * 10 >= sent.length;
      const observed = `${throttled.length} of ${sent.length} throttled`;
      return {
        applied: sent.length,
        breaches: lives ? [{ exchange: last(throttled), expected: 'requests below the rate', observed }] : [],
      };
    },
  }),
  dutyOfHabits({
    rule: 'client/lists-once',
    title: 'the list of labels is not most of what is asked for',
    advice: 'Keep ids of labels for some minutes.',
    judge({ requests }) {
      const lists = requests.filter(({ operation, status }) => operation === 'listLabels' && status === 200);
      const always = lists.length >= few && lists.length * 3 >= requests.length;
      const observed = `asked for it ${lists.length} times among ${requests.length} requests`;
      return {
        applied: lists.length,
        breaches: always ? [{ exchange: last(lists), expected: 'the list now and then', observed }] : [],
      };
    },
  }),
  dutyOfHabits({
    rule: 'client/reuses-connections',
    title: `of ${few} requests and more, some share a connection`,
    advice: 'Keep connections open: one client object or session for all requests.',
    judge({ requests }) {
      const known = requests.filter(({ connection }) => connection !== null);
      const connections = new Set(known.map(({ connection }) => connection)).size;
      const each = known.length >= few && connections >= known.length * 0.9;
      const observed = `${connections} connections for ${known.length} requests`;
      return {
        applied: known.length,
        breaches: each ? [{ exchange: last(known), expected: 'connections that are used again', observed }] : [],
      };
    },
  }),
];
