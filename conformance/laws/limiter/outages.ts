import type { Exchange } from '../../history/exchange.ts';
import { once } from '../judging/law.ts';
import { answered } from '../judging/served.ts';

/** So many requests below the limit are not answered 5xx one after the other by chance. */
const minCalm = 4;

/** Milliseconds. No limiter of a rate refuses everything for so long, and a service that is out for longer is no restart. */
const [minLong, maxLong] = [1_000, 10_000];

/** A limiter that closes the whole service does so again and again. */
const maxOutages = 2;

/** Replies of short times in which the whole service answered 5xx, whatever the key and the operation: a restart, and no answer of the limiter. */
export const outagesIn = once(({ exchanges }): ReadonlySet<Exchange> => {
  const runs: Exchange[][] = [[]];
  for (const exchange of exchanges) {
    const { status, operation } = exchange;
    if (operation === null || operation === 'storage') continue;
    if (status !== null && status >= 500) runs.at(-1)?.push(exchange);
    // A gateway in front may refuse and throttle meanwhile.
    else if (answered(exchange) && status !== 401 && status !== 403) runs.push([]);
  }
  const outages = runs.filter((run) => {
    const calm = run.filter(({ paced }) => paced);
    const several = (of: 'key' | 'operation') => new Set(calm.map((one) => one[of])).size > 1;
    const long = (run.at(-1)?.sentAt ?? 0) - (run[0]?.sentAt ?? 0);
    const isLong = long >= minLong && long <= maxLong;
    return (isLong && run.length >= 2 * minCalm) || (calm.length >= minCalm && several('key') && several('operation'));
  });
  return new Set(outages.length > maxOutages ? [] : outages.flat());
});
