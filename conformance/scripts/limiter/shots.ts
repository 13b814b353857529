/** What is sent to a limiter, as data: each request leaves at its time, whatever came of those before. */
import type { TargetTenant } from '../../../spec/files/target.ts';
import { type Limit, largestBurst, restSeconds } from '../../../spec/limiter/limit.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { askOf, nowhere, type Place, type Request, valid } from '../../contract/request.ts';
import type { Bench, Tags } from '../../experiments/bench.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { littleUse } from '../../numbers.ts';
import type { Deployment } from '../../target/deployment.ts';
import { carries, type KeyOfTenant, keysOf } from '../../target/keys.ts';
import { lightReads } from '../../target/light-reads.ts';
import { tenantsOf } from '../../target/records.ts';

/** A request without its key. */
export type Sent = Omit<Request, 'who'> & { readonly headers?: Readonly<Record<string, string>> };

export interface Shot {
  /** Milliseconds after the first. */
  readonly at: number;
  readonly who: KeyOfTenant;
  readonly request: Sent;
}

/** Sends all at their times, without a pace and without a second try, and waits for the replies. */
export async function play({ scene, state }: Bench, shots: readonly Shot[], tags: Tags = {}): Promise<Exchange[]> {
  const start = scene.now();
  const sent: Promise<Exchange>[] = [];
  for (const { at, who, request } of shots.toSorted((a, b) => a.at - b.at)) {
    const wait = start + at - scene.now();
    if (wait > 0) await scene.sleep(wait);
    const { headers, ...rest } = request;
    const whole: Request = { ...rest, who: { ...valid(who), ...(headers && { headers }) } };
    const sending = scene.send({ ...askOf(whole), unpaced: true, ...(tags as object) });
    sent.push(sending);
    sending.then((exchange) => state.requests.set(exchange, whole)).catch(() => {});
  }
  return Promise.all(sent);
}

/** So many at once; kinds of request in turn. */
export const volley = (who: KeyOfTenant, requests: readonly Sent[], size: number, at = 0): Shot[] =>
  Array.from({ length: size }, (_, i) => ({ at, who, request: requests[i % requests.length] as Sent }));

export const limitOf = ({ rateLimit: { perSecond, burst } }: KeyOfTenant): Limit => ({ perSecond, burst });

/** More at once than any honest limiter admits. */
export const overBurst = (limit: Limit): number => Math.ceil(1.15 * largestBurst(limit));

/** Milliseconds after which the bucket of the key is full again, even if each of these throttled requests took a token. */
export const restAfter = (key: KeyOfTenant, exchanges: readonly Exchange[]): number => {
  const throttled = exchanges.filter((one) => one.status === 429 && one.key === `${key.tenant}/${key.name}`).length;
  const { perSecond, burst } = limitOf(key);
  return 1000 * restSeconds({ perSecond, burst: burst + throttled });
};

/** Requests at once: where an operator raised a key's burst above this, an overload would be a load test. */
const maxBurst = 200;

export const isModest = ({ rateLimit }: KeyOfTenant) => rateLimit.burst <= maxBurst;

/** The keys of both tenants that are used. */
export const usedKeys = (deployment: Deployment): readonly KeyOfTenant[] => tenantsOf(deployment).flatMap(keysOf);

/** Those that may be overloaded. */
export const modestKeys = (deployment: Deployment) => usedKeys(deployment).filter(isModest);

/** Where an operator raised a limit, a part of it may be a load. */
const maxLittle = 20;
export const littleOf = ({ rateLimit }: KeyOfTenant) =>
  Math.min(maxLittle, Math.max(1, Math.floor(littleUse * rateLimit.burst)));

const placeOf = (operation: OperationId, { conversations, sites }: TargetTenant): Place | null => {
  if (operation === 'getHealth' || operation === 'listLabels') return nowhere;
  const id = operation === 'getSite' ? sites?.current : conversations?.open;
  return id === undefined ? null : { owner: 'ours', params: { id } };
};

/** The reads with small replies that this key may send. */
export const readsOf = (deployment: Deployment, key: KeyOfTenant): Sent[] =>
  lightReads.flatMap((operation) => {
    const tenant = tenantsOf(deployment).find(({ name }) => name === key.tenant);
    const place = tenant && placeOf(operation, tenant);
    return place && deployment.operation(operation) && carries(key, deployment.scopesOf(operation))
      ? [{ operation, place }]
      : [];
  });

/** Starts of uploads store nothing. */
export const startOf = (deployment: Deployment): Sent | null => {
  const id = deployment.tenant.sites?.current;
  return id === undefined || deployment.operation('startSiteFileUpload') === undefined
    ? null
    : {
        operation: 'startSiteFileUpload',
        place: { owner: 'ours', params: { id } },
        body: { contentType: deployment.uploadContentType },
      };
};

/** Characters. An operation with longer replies is too heavy to be sent some hundred times. */
const maxReply = 50_000;

/** The reads of this key that were seen to be served with small replies. Each was tried once in the run, by a key that is not measured. */
export async function lightReadsOf(b: Bench, key: KeyOfTenant): Promise<readonly Sent[]> {
  const operations = await b.once(b.state.light, 'all', () => tryReads(b));
  const all = readsOf(b.deployment, key);
  const small = all.filter(({ operation }) => operations.has(operation));
  return small.length > 0 ? small : all.slice(0, 1);
}

/** What the measured key sends: its light reads, and starts of uploads where it may. */
export async function requestsOf(b: Bench, key: KeyOfTenant): Promise<readonly Sent[]> {
  const start = startOf(b.deployment);
  const mayStart = start !== null && key.tenant === b.deployment.tenant.name;
  const reads = await lightReadsOf(b, key);
  return mayStart && carries(key, b.deployment.scopesOf(start.operation)) ? [...reads, start] : reads;
}

async function tryReads(b: Bench): Promise<ReadonlySet<OperationId>> {
  const served = new Set<OperationId>();
  for (const operation of lightReads) {
    const key = keysOf(b.deployment.tenant).find((one) =>
      readsOf(b.deployment, one).some((r) => r.operation === operation),
    );
    const request = key && readsOf(b.deployment, key).find((one) => one.operation === operation);
    if (key === undefined || request === undefined) continue;
    const exchange = await b.send({ ...request, who: valid(key) });
    if (succeeded(exchange) && (exchange.body?.length ?? 0) <= maxReply) served.add(operation);
  }
  return served;
}
