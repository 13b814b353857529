/**
 * What is asked at another path or with another method: anything may answer there, also a page that answers everywhere. Only a reply like that of the
 * operation shows that it was carried out all the same. And the paths and methods of the operations themselves.
 */
import { type Case, demandedOf } from '../contract/case.ts';
import { belowId } from '../contract/request.ts';
import { type Exchange, isObject, jsonOf, succeeded } from '../history/exchange.ts';
import type { Judge } from './traffic.ts';

/** The names in a reply; empty where it has none. */
function namesIn(exchange: Exchange): string {
  const json = jsonOf(exchange);
  const [first] = Array.isArray(json) ? json : [json];
  return isObject(first) ? Object.keys(first).sort().join() : '';
}

/** A check of health for load balancers is often served elsewhere as well, and to everybody. */
const isHealth = ({ operation, mutation }: Case) => operation === 'getHealth' && mutation?.id !== 'OPTIONS';

export const judgeElsewhere: Judge = ({ cases }, evidenceOf) => {
  const all = [...cases].map(([exchange, asked]) => ({
    ...{ exchange, asked, is: succeeded(exchange) },
    look: `${asked.operation} ${namesIn(exchange)}`,
  }));
  const looks = (some: typeof all) => new Set(some.map(({ look }) => look));
  const own = looks(all.filter(({ asked, is }) => is && !asked.isElsewhere && asked.caller === 'valid'));
  const everywhere = looks(all.filter(({ asked, is }) => is && asked.mutation?.id === belowId));
  for (const { exchange, asked, is, look } of all) {
    if (!asked.isElsewhere || isHealth(asked)) continue;
    const { status } = exchange;
    const isCarriedOut = is && namesIn(exchange) !== '' && own.has(look) && !everywhere.has(look);
    // Any other reply says that nothing was carried out.
    const isRefused = status !== null && status < 500 && status !== 429;
    for (const { id, rule } of demandedOf(asked)) {
      if (rule === 'versioning/v1-prefix' && asked.caller !== 'valid') continue;
      if (isCarriedOut)
        evidenceOf(rule).broken(exchange, `no success (${id})`, `${status}, with the reply of ${asked.operation}`);
      else if (rule === 'versioning/v1-prefix' && isRefused) evidenceOf(rule).kept++;
    }
  }
};

/** All paths begin with the version, and the one method that the specification names for a label is PUT, for a site. */
export const judgePlaces: Judge = ({ exchanges, deployment }, evidenceOf) => {
  for (const { id, path, method } of deployment.operations) {
    const asked = exchanges.filter(({ operation }) => operation === id);
    const [exchange, served] = [asked[0], asked.find(succeeded)];
    if (id === 'applySiteLabel' && method !== 'PUT' && served)
      evidenceOf('labels/site-apply').broken(served, 'PUT', method);
    if (exchange && !path.startsWith('/v1/'))
      evidenceOf('versioning/v1-prefix').broken(exchange, 'a path that starts with /v1', path);
  }
};
