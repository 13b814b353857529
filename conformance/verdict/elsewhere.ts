/**
 * What is asked at another path or with another method: anything may answer there, also a page that answers everywhere. Only a reply like that of the
 * operation shows that it was carried out all the same. And the paths and methods of the operations themselves.
 */
import type { OperationId } from '../../spec/operations.ts';
import { type Case, caseOf } from '../contract/case.ts';
import { reasonsOf } from '../contract/reasons.ts';
import { belowId } from '../contract/request.ts';
import { type Exchange, isObject, jsonOf, succeeded } from '../history/exchange.ts';
import type { EvidenceOf, Traffic } from './law.ts';

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
const isHealth = ({ operation, mutation }: Case) => operation === 'getHealth' && mutation?.id !== 'OPTIONS';

export function judgeElsewhere(traffic: Traffic, evidenceOf: EvidenceOf): void {
  judgePlaces(traffic, evidenceOf);
  const own = new Set<string>();
  const everywhere = new Set<string>();
  const elsewhere: { readonly exchange: Exchange; readonly asked: Case }[] = [];
  for (const exchange of traffic.exchanges) {
    const asked = caseOf(exchange, traffic.deployment);
    if (asked === null) continue;
    if (asked.isElsewhere) elsewhere.push({ exchange, asked });
    else if (asked.caller === 'valid' && succeeded(exchange)) own.add(lookOf(asked.operation, exchange));
    if (asked.mutation?.id === belowId && succeeded(exchange)) everywhere.add(lookOf(asked.operation, exchange));
  }
  for (const { exchange, asked } of elsewhere.filter((one) => !isHealth(one.asked))) {
    const look = lookOf(asked.operation, exchange);
    const isCarriedOut = succeeded(exchange) && namesIn(exchange) !== '' && own.has(look) && !everywhere.has(look);
    for (const reason of reasonsOf(asked)) {
      const rule = reason.rule(asked);
      if (rule === null || (rule === 'versioning/v1-prefix' && asked.caller !== 'valid')) continue;
      const observed = `${exchange.status}, with the reply of ${asked.operation}`;
      if (isCarriedOut) evidenceOf(rule).broken(exchange, `no success (${reason.id})`, observed);
      else if (rule === 'versioning/v1-prefix' && isRefusedOrPage(exchange)) evidenceOf(rule).kept++;
    }
  }
}

/** All paths begin with the version, and the one method that the specification names for a label is PUT, for a site. */
function judgePlaces({ exchanges, deployment }: Traffic, evidenceOf: EvidenceOf): void {
  for (const { id, path, method } of deployment.operations) {
    const isOther = id === 'applySiteLabel' && method !== 'PUT';
    const served = exchanges.find((one) => one.operation === id && succeeded(one));
    if (isOther && served) evidenceOf('labels/site-apply').broken(served, 'PUT', method);
    const exchange = exchanges.find(({ operation }) => operation === id);
    if (exchange && !path.startsWith('/v1/'))
      evidenceOf('versioning/v1-prefix').broken(exchange, 'a path that starts with /v1', path);
  }
}
