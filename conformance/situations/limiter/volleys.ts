import { type Limit, largestBurst } from '../../../spec/limiter/limit.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { Deployment } from '../../target/deployment.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { carries, type KeyOfTenant, keysOf, keysWith } from '../../target/keys.ts';
import { mayRead } from '../../target/light-reads.ts';
import { holdersOf, sparesOf, tenantsOf } from '../../target/records.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import { type Fire, limitOf, type Senders, volley } from './senders.ts';
import { throttled } from './throttled-writes.ts';

/** The size of a volley that a key without a limit admits whole, and no honest limiter does. */
const overSize = (limit: Limit) => Math.ceil(1.25 * largestBurst(limit));

/**
 * Sends requests until the key is throttled, or more than any honest limiter admits.
 * @param above requests above the burst in the first volley: most buckets hold the burst and no more
 */
export async function exhaust(fire: Fire, limit: Limit, above = limit.burst / 5): Promise<readonly Exchange[]> {
  const size = Math.ceil(limit.burst + above);
  const first = await volley(size, fire);
  if (first.some(({ status }) => status === 429)) return first;
  return [...first, ...(await volley(overSize(limit) - size, fire))];
}

/** Keys that send at the same time. A few hundred requests at once would be too many for some gateways. */
const keysAtOnce = 4;

/** Each key sends its volley, a few keys at a time. */
export async function inGroups(
  keys: readonly KeyOfTenant[],
  send: (key: KeyOfTenant) => Promise<unknown>,
): Promise<void> {
  for (let i = 0; i < keys.length; i += keysAtOnce) await Promise.all(keys.slice(i, i + keysAtOnce).map(send));
}

/** The keys of both tenants that are used, except these. */
export const keysBut = (deployment: Deployment, ...but: readonly KeyOfTenant[]): readonly KeyOfTenant[] =>
  tenantsOf(deployment)
    .flatMap(keysOf)
    .filter((key) => !but.some(({ tenant, name }) => tenant === key.tenant && name === key.name));

/** Requests at once: where an operator raised a key's burst above this, an overload would be a load test. */
const maxBurst = 200;

/** Whether a volley above the burst of the key is still small. */
export const isModest = ({ rateLimit }: KeyOfTenant) => rateLimit.burst <= maxBurst;

/** The keys but these that may be overloaded. */
export const keysToOverload = (deployment: Deployment, ...but: readonly KeyOfTenant[]): readonly KeyOfTenant[] =>
  keysBut(deployment, ...but).filter((key) => isModest(key) && mayRead(deployment, key));

/** A kind of request that changes nothing, and a key that may send it. */
interface Harmless {
  readonly key: KeyOfTenant;
  readonly ask: Ask;
  /** The `holderKey` of the record, if the request is a write of its labels. */
  readonly lock?: string;
}

/**
 * Requests that change nothing, one per operation that the key for the measurement may not send: removals of labels that are absent, and starts
 * of uploads, which store nothing.
 */
export function harmlessWrites(deployment: Deployment, measured: KeyOfTenant): readonly Harmless[] {
  const { tenant } = deployment;
  const [spare] = sparesOf(tenant);
  const removals = [...Map.groupBy(holdersOf(tenant), ({ holder }) => holder.kind).values()].flatMap(([known]) =>
    known === undefined || spare === undefined
      ? []
      : [
          {
            ask: { operation: labelOperations[known.holder.kind].remove, params: holderParams(known.holder, spare.id) },
            lock: holderKey(known.holder),
          },
        ],
  );
  const [start] = lawfulAsks('startSiteFileUpload', deployment, () => '').map(({ ask }) => ask);
  const scopesOf = ({ operation }: Ask) => deployment.scopesOf(operation);
  const chosen: Harmless[] = [];
  // Those that need the most scopes come first, because their keys may send others as well.
  const kinds = [...removals, ...(start ? [{ ask: start }] : [])].sort(
    (a, b) => scopesOf(b.ask).length - scopesOf(a.ask).length,
  );
  for (const kind of kinds) {
    const scopes = scopesOf(kind.ask);
    if (carries(measured, scopes)) continue;
    const fitting = keysWith(tenant, scopes).filter((key) => isModest(key) && mayRead(deployment, key));
    const key = fitting.find(({ name }) => chosen.some((one) => one.key.name === name)) ?? fitting[0];
    if (key !== undefined) chosen.push({ ...kind, key });
  }
  return chosen;
}

/** Requests of a kind: more than the tokens by which honest limits differ. */
export const ofEachKind = ({ perSecond, burst }: Limit) =>
  Math.ceil(1.25 * (largestBurst({ perSecond, burst }) - burst)) + 1;

/** Exhausts the keys of these requests, and then sends a volley of each kind, to find a limiter that does not count them. */
export async function volleysOfEachKind(
  scene: Scene,
  kinds: readonly Harmless[],
  senders: Senders,
  like: KeyOfTenant,
): Promise<void> {
  const byKey = [...Map.groupBy(kinds, ({ key }) => key.name).values()];
  await Promise.all(
    byKey.map(async (those) => {
      const [first] = those;
      if (first === undefined) return;
      const { key } = first;
      const sent: Harmless[] = [];
      // The first write waits for the journal. Later writes of the same label are sent at once.
      for (const kind of those)
        if (kind.lock === undefined || succeeded(await scene.send({ ...kind.ask, key }))) sent.push(kind);
      const fire = await senders.senderFor(scene, key, like && { like });
      await exhaust(fire, limitOf(key));
      for (const { ask } of sent) await volley(ofEachKind(limitOf(key)), fire, () => throttled(ask, key));
    }),
  );
}
