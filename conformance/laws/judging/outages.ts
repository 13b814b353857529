import { cutOff, type Exchange, tooLarge } from '../../history/exchange.ts';
import { once } from './law.ts';
import { answered } from './served.ts';

/** So many requests below the limit are not answered 5xx one after the other by chance. */
const minCalm = 4;

/** Milliseconds. No limiter of a rate refuses everything for so long, and a service that is out for longer is no restart. */
const [minLong, maxLong] = [1_000, 10_000];

/** A limiter that closes the whole service does so again and again. */
const maxOutages = 2;

/** A 5xx, or no reply at all: connections are refused, reset or hang while a service starts. */
const isOut = ({ status, failure }: Exchange) =>
  status === null ? failure !== cutOff && !failure?.startsWith(tooLarge) : status >= 500;

/** Exchanges of short times in which the whole service was out, whatever the key and the operation: a restart, and no answer of the limiter. */
export const outagesIn = once(({ exchanges }): ReadonlySet<Exchange> => {
  const ofService = exchanges
    .filter(({ operation }) => operation !== null && operation !== 'storage')
    .toSorted((a, b) => a.sentAt - b.sentAt);
  const failed = ofService.filter(isOut);
  // A gateway in front may refuse and throttle meanwhile.
  const served = ofService.filter((one) => answered(one) && one.status !== 401 && one.status !== 403);
  const runs: Exchange[][] = [];
  let closed = Number.POSITIVE_INFINITY;
  for (const exchange of failed) {
    const run = runs.at(-1);
    // Only a reply to a request that was sent when the service was surely out, and that came while it surely still was, shows that it was not.
    if (run !== undefined && !served.some((one) => one.sentAt >= closed && one.doneAt <= exchange.sentAt)) {
      run.push(exchange);
      closed = Math.min(closed, exchange.doneAt);
    } else {
      runs.push([exchange]);
      closed = exchange.doneAt;
    }
  }
  const outages = runs.filter((run) => {
    const calm = run.filter(({ paced }) => paced);
    const several = (of: 'key' | 'operation') => new Set(calm.map((one) => one[of])).size > 1;
    const long = Math.max(...run.map(({ doneAt }) => doneAt)) - (run[0]?.sentAt ?? 0);
    const isLong = long >= minLong && long <= maxLong;
    return (isLong && run.length >= 2 * minCalm) || (calm.length >= minCalm && several('key') && several('operation'));
  });
  return new Set(outages.length > maxOutages ? [] : outages.flat());
});
