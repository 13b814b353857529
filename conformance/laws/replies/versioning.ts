import { type Exchange, jsonOf, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { meantBy } from '../../situations/replies/near-misses.ts';
import { deploymentIn } from '../judging/asked.ts';
import { type Law, lawOfReplies, once } from '../judging/law.ts';
import { lineOf, statusWords } from '../judging/served.ts';

const propertiesOf = (exchange: Exchange) =>
  Object.keys(Object(jsonOf(exchange)))
    .sort()
    .join();

const nameOf = (operation: string | undefined | null, { params }: Exchange) =>
  JSON.stringify([operation, Object.entries(params).sort()]);

/** Successful replies by operation and parameters. */
const served = once(({ exchanges }: History) =>
  Map.groupBy(
    exchanges.filter((one) => one.operation !== null && succeeded(one) && propertiesOf(one) !== ''),
    (one) => nameOf(one.operation, one),
  ),
);

/** Whether the reply has the same properties as a reply of the operation. A web page that answers at every path does not count. */
const isServed = (exchange: Exchange, history: History) =>
  succeeded(exchange) &&
  (served(history).get(nameOf(meantBy(exchange.twist), exchange)) ?? []).some(
    (control) => propertiesOf(control) === propertiesOf(exchange),
  );

const isBare = ({ twist }: Exchange) => twist?.startsWith('path/no-v1 ') === true;

/** Laws about the version in paths. */
export const versioning: readonly Law[] = [
  lawOfReplies({
    rule: 'versioning/v1-prefix',
    title: 'what is served below /v1 is not served without it',
    // Deployments often serve a health check for load balancers at another path.
    applies: (exchange, history) =>
      isBare(exchange) &&
      meantBy(exchange.twist) !== 'getHealth' &&
      served(history).has(nameOf(meantBy(exchange.twist), exchange)),
    judge: (exchange, history) =>
      isServed(exchange, history)
        ? { expected: `nothing at ${lineOf(exchange)}`, observed: statusWords(exchange) }
        : null,
  }),
  lawOfReplies({
    rule: 'versioning/v1-prefix',
    id: 'versioning/v1-prefix/every-operation',
    title: 'the path of every operation starts with /v1',
    applies: ({ operation }) => operation !== null && operation !== 'storage',
    judge: ({ operation }, history) => {
      const path = deploymentIn(history).operations.find(({ id }) => id === operation)?.path ?? '/v1/';
      return path.startsWith('/v1/')
        ? null
        : { expected: 'a path that starts with /v1', observed: `${operation}: ${path}` };
    },
  }),
];
