/**
 * What is asked at another path or with another method: anything may answer there, also a page that answers everywhere. Only a reply like that of the
 * operation shows that it was carried out all the same. And the paths of all operations begin with the version.
 */
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Case, caseOf } from '../contract/case.ts';
import { reasonsOf } from '../contract/reasons.ts';
import { belowId } from '../contract/request.ts';
import { type Exchange, isObject, jsonOf, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import type { Evidence } from './law.ts';

/** The names in a reply; empty where it has none. */
function namesIn(exchange: Exchange): string {
  const json = jsonOf(exchange);
  const [first] = Array.isArray(json) ? json : [json];
  return isObject(first) ? Object.keys(first).sort().join() : '';
}

const lookOf = (operation: OperationId, exchange: Exchange) => `${operation} ${namesIn(exchange)}`;

/** Whether the reply says that nothing was carried out. */
const isRefusedOrPage = ({ status }: Exchange) => status !== null && status < 500 && status !== 429;

/** A check of health for load balancers is often served elsewhere as well, and to everybody. */
const isHealth = ({ operation }: Case) => operation === 'getHealth';

export function judgeElsewhere(
  exchanges: readonly Exchange[],
  deployment: Deployment,
  evidenceOf: (rule: RuleId) => Evidence,
): void {
  judgePaths(exchanges, deployment, evidenceOf('versioning/v1-prefix'));
  const own = new Set<string>();
  const everywhere = new Set<string>();
  const elsewhere: { readonly exchange: Exchange; readonly asked: Case }[] = [];
  for (const exchange of exchanges) {
    const asked = caseOf(exchange, deployment);
    if (asked === null) continue;
    if (asked.isElsewhere) elsewhere.push({ exchange, asked });
    else if (asked.caller === 'valid' && succeeded(exchange)) own.add(lookOf(asked.operation, exchange));
    if (asked.mutation?.id === belowId && succeeded(exchange)) everywhere.add(lookOf(asked.operation, exchange));
  }
  for (const { exchange, asked } of elsewhere) {
    const look = lookOf(asked.operation, exchange);
    const isCarriedOut = succeeded(exchange) && namesIn(exchange) !== '' && own.has(look) && !everywhere.has(look);
    if (isHealth(asked) && asked.mutation?.id !== 'OPTIONS') continue;
    for (const reason of reasonsOf(asked)) {
      const rule = reason.rule(asked);
      if (rule === null || (rule === 'versioning/v1-prefix' && asked.caller !== 'valid')) continue;
      const observed = `${exchange.status}, with the reply of ${asked.operation}`;
      if (isCarriedOut)
        evidenceOf(rule).failures.push({ exchange, expected: `no success (${reason.id})`, observed, with: [] });
      else if (rule === 'versioning/v1-prefix' && isRefusedOrPage(exchange)) evidenceOf(rule).kept++;
    }
  }
}

function judgePaths(exchanges: readonly Exchange[], deployment: Deployment, { failures }: Evidence): void {
  for (const { id, path } of deployment.operations.filter((one) => !one.path.startsWith('/v1/'))) {
    const exchange = exchanges.find(({ operation }) => operation === id);
    if (exchange) failures.push({ exchange, expected: 'a path that starts with /v1', observed: path, with: [] });
  }
}
