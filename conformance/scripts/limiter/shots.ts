/** What is sent to a limiter, as data: each request leaves at its time, whatever came of those before. */
import { type Limit, largestBurst, restSeconds } from '../../../spec/limiter/limit.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { askOf, type Request, valid } from '../../contract/request.ts';
import type { Bench, Tags } from '../../experiments/bench.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { littleUse } from '../../numbers.ts';
import { carries, type Deployment, type KeyOfTenant, keyFor, keysOf } from '../../target/deployment.ts';
import { tenantsOf } from '../../target/records.ts';
import { isCached, isThrottled } from '../../verdict/limiter/uses.ts';
import { errandsOf } from '../lawful.ts';

export interface Shot {
  /** Milliseconds after the first. */
  readonly at: number;
  readonly request: Request;
}

/** So many at once; kinds of request in turn. */
export const volley = (requests: readonly Request[], size: number, at = 0): Shot[] =>
  Array.from({ length: size }, (_, i) => ({ at, request: requests[i % requests.length] as Request }));

/** Sends all at their times, without a pace and without a second try, and waits for the replies. */
export async function play({ scene, state }: Bench, shots: readonly Shot[], tags: Tags = {}): Promise<Exchange[]> {
  const start = scene.now();
  const sent: Promise<Exchange>[] = [];
  for (const { at, request } of shots.toSorted((a, b) => a.at - b.at)) {
    const wait = start + at - scene.now();
    if (wait > 0) await scene.sleep(wait);
    const sending = scene.send({ ...askOf(request), unpaced: true, ...(tags as object) });
    sent.push(sending);
    sending
      .then((exchange) => {
        state.requests.set(exchange, request);
        const { key } = exchange;
        if (isThrottled(exchange) && key) state.throttled.set(key, (state.throttled.get(key) ?? 0) + 1);
        // What a cache on the way has kept is not sent again to measure a limiter.
        if (isCached(exchange.headers)) state.light.get('all')?.then((reads) => reads?.delete(request.operation));
      })
      .catch(() => {});
  }
  return Promise.all(sent);
}

/** As in exchanges. */
export const nameOf = ({ tenant, name }: KeyOfTenant) => `${tenant}/${name}`;

/** More at once than any honest limiter admits. */
export const overBurst = (limit: Limit): number => Math.ceil(1.15 * largestBurst(limit));

/** Rests until the bucket of the key is full, even if each request that was throttled since its last rest took a token. @param least milliseconds */
export async function rest(b: Bench, key: KeyOfTenant, least = 0): Promise<void> {
  const { throttled } = b.state;
  const burst = key.rateLimit.burst + (throttled.get(nameOf(key)) ?? 0);
  throttled.delete(nameOf(key));
  await b.sleep(Math.max(least, 1000 * restSeconds({ ...key.rateLimit, burst })));
}

/** Requests at once: where an operator raised a key's burst above this, an overload would be a load test. */
const maxBurst = 200;
export const isModest = ({ rateLimit }: KeyOfTenant) => rateLimit.burst <= maxBurst;

/** Where an operator raised a limit, a part of it may be a load. */
const maxLittle = 20;
export const littleOf = ({ rateLimit }: KeyOfTenant) =>
  Math.min(maxLittle, Math.max(1, Math.floor(littleUse * rateLimit.burst)));

/** The keys of both tenants that are used. */
export const usedKeys = (deployment: Deployment): readonly KeyOfTenant[] => tenantsOf(deployment).flatMap(keysOf);

/** The key that is kept for measurements, if there is one. */
export function reservedKey(deployment: Deployment): KeyOfTenant[] {
  const key = keyFor(deployment, [], 'limits');
  return key === undefined ? [] : [key];
}

/** The first lawful request of each of these operations that this key may send. */
const firstOf = (deployment: Deployment, key: KeyOfTenant, operations: readonly OperationId[]): Request[] => {
  const tenant = tenantsOf(deployment).find(({ name }) => name === key.tenant) ?? deployment.tenant;
  const may = (id: OperationId) => carries(key, deployment.scopesOf(id));
  const errands = operations.flatMap((id) => errandsOf(deployment, tenant, [id], may).slice(0, 1));
  return errands.map((errand) => ({ ...errand, who: valid(key) }));
};

/** A start of an upload, which stores nothing, if the key belongs to the tenant under test and may. */
export const startOf = (deployment: Deployment, key: KeyOfTenant): Request[] =>
  key.tenant === deployment.tenant.name ? firstOf(deployment, key, ['startSiteFileUpload']) : [];

/** Reads with small replies, which disturb nobody even if a limiter admits too many of them. */
const lightReads = ['getHealth', 'listLabels', 'getConversationContext', 'getConversation', 'getSite'] as const;

/** The light reads that the key may send. */
export const readsOf = (deployment: Deployment, key: KeyOfTenant) => firstOf(deployment, key, lightReads);

/** Characters. An operation with longer replies is too heavy to be sent some hundred times. */
const maxReply = 50_000;

/** The reads of this key that were seen to be served with small replies, and not by a cache so far. Each was tried once in the run, by a key that is not measured. */
export async function lightReadsOf(b: Bench, key: KeyOfTenant): Promise<readonly Request[]> {
  const operations = await b.once(b.state.light, 'all', () => tryReads(b));
  const all = readsOf(b.deployment, key);
  const small = all.filter(({ operation }) => operations.has(operation));
  return small.length > 0 ? small : all.slice(0, 1);
}

async function tryReads(b: Bench): Promise<Set<OperationId>> {
  const served = new Set<OperationId>();
  const all = keysOf(b.deployment.tenant).flatMap((key) => readsOf(b.deployment, key));
  for (const operation of lightReads) {
    const request = all.find((one) => one.operation === operation);
    if (request === undefined) continue;
    const exchange = await b.send(request);
    if (succeeded(exchange) && (exchange.body?.length ?? 0) <= maxReply && !isCached(exchange.headers))
      served.add(operation);
  }
  return served;
}
