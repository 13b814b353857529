import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { Deployment } from '../../target/deployment.ts';
import { holderKey, holderParams, type LabelAct, labelOperations } from '../../target/holder.ts';
import { carries, type KeyOfTenant, keysFor, keysWith } from '../../target/keys.ts';
import { holdersOf, type KnownHolder, type NamedLabel, sparesOf } from '../../target/records.ts';
import { carriedIn } from '../labels/label-holder.ts';
import { limitOf, type Senders, volley } from './senders.ts';

/** The writes, if removals work; else undefined. */
export async function removable<T extends LabelWrites>({ send }: Scene, writes: T | undefined) {
  const before = writes && (await send(writes.remove));
  return before && succeeded(before) ? { ...writes, before } : undefined;
}

/** Concurrent writes in each attempt. Three find an intermittent fault; over a slow network it is easier to have a single one throttled. */
const writesPerAttempt = [3, 1, 1];

/** Sends a write while the key is exhausted, until the write is throttled. Then another request shows whether the write had an effect. */
export async function throttledWrite(
  scene: Scene,
  { apply, remove, show }: LabelWrites,
  before: Exchange,
  key: KeyOfTenant,
  senders: Senders,
): Promise<void> {
  const { perSecond, burst } = limitOf(key);
  const fire = await senders.senderFor(scene, key);
  for (const [attempt, requests] of writesPerAttempt.entries()) {
    // More requests than tokens that were refilled since the last request, because a network may let the write overtake some.
    const last = senders.sent(key).reduce((latest, { sentAt }) => Math.max(latest, sentAt), 0);
    const refilled = Math.min(burst, ((scene.now() - last) / 1000) * perSecond);
    const around = volley(Math.ceil(refilled + (burst / 4) * 2 ** attempt), fire);
    const written = await volley(requests, fire, () => throttled(apply, key));
    await around;
    if (written.every(({ status }) => status === 429)) break;
    await scene.send(remove);
    await scene.sleep(scene.deployment.settleMilliseconds);
  }
  await show(scene, before);
}

export const throttled = (ask: Ask, key: KeyOfTenant): Ask => ({ ...ask, key, unpaced: true });

export interface LabelWrites {
  readonly apply: Ask;
  readonly remove: Ask;
  /**
   * Sends a request whose reply shows the set, without a write of this label.
   * @param before an earlier reply with the set
   */
  readonly show: (scene: Scene, before: Exchange) => Promise<unknown>;
}

/** Writes of spare labels on a holder of each kind that the key may label: of a label that is absent, and of one that is applied before. */
export const labelsFor = (deployment: Deployment, key: KeyOfTenant): readonly WritesOfHolder[] =>
  Object.values(Object.groupBy(holdersOf(deployment.tenant), ({ holder }) => holder.kind)).flatMap(([first]) => {
    const writes = first && labelsOn(first, deployment, key);
    return writes ?? [];
  });

interface WritesOfHolder extends LabelWrites {
  /** Whether the label of `carried` is another one. */
  readonly second: boolean;
  readonly carried: LabelWrites;
  /** The `holderKey` of the holder. */
  readonly lock: string;
}

function labelsOn({ holder }: KnownHolder, deployment: Deployment, key: KeyOfTenant): WritesOfHolder | undefined {
  const { tenant } = deployment;
  const [label, second] = sparesOf(tenant);
  const isAllowed = Object.values(labelOperations[holder.kind]).every(
    (id) => deployment.operation(id) && carries(key, deployment.scopesOf(id)),
  );
  if (!isAllowed || label === undefined) return undefined;
  const ask = (act: LabelAct, id: string): Ask => {
    const operation = labelOperations[holder.kind][act];
    const [narrow] = keysFor(deployment, operation, tenant);
    return { operation, params: holderParams(holder, id), ...(narrow && { key: narrow }) };
  };
  const context = holder.kind === 'conversation' ? deployment.operation('getConversationContext') : undefined;
  const [reader] = context ? keysWith(tenant, context.scopes) : [];
  /** With a single spare label, the set is shown by a read, or by another apply of a label that the holder carries. */
  const read = async ({ send, sleep }: Scene, before: Exchange) => {
    const carried = carriedIn(before, tenant);
    if (reader === undefined) return carried && send({ ...ask('apply', carried), carried: true });
    await sleep(deployment.settleMilliseconds);
    return send({ operation: 'getConversationContext', params: holderParams(holder), key: reader });
  };
  const writesOf = ({ id }: NamedLabel, other: Ask | undefined): LabelWrites => ({
    apply: ask('apply', id),
    remove: ask('remove', id),
    show: other ? ({ send }) => send(other) : read,
  });
  return {
    ...writesOf(label, second && ask('apply', second.id)),
    second: second !== undefined,
    carried: writesOf(second ?? label, second && ask('remove', label.id)),
    lock: holderKey(holder),
  };
}
