import { volleySize } from '../../../spec/limiter/phase.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { type KeyOfTenant, keysWith } from '../../target/keys.ts';
import { type Fire, limitOf, restOf, volley } from './senders.ts';
import { throttled } from './throttled-writes.ts';

/** Milliseconds. */
const minLate = 1_000;

/** The part of its rate at which another key sends, so that no limiter delays it. */
const part = 0.8;

/**
 * If no write of a volley over the limit was throttled, but some were late: a larger volley of the same write, and meanwhile the same write by
 * another key below its rate, to tell a limiter that holds writes back from writes that are slow.
 */
export async function heldWrites(
  scene: Scene,
  write: Ask,
  key: KeyOfTenant,
  fire: Fire,
  volleyBefore: readonly Exchange[],
): Promise<void> {
  if (!volleyBefore.every(succeeded) || !volleyBefore.some(({ sentAt, doneAt }) => doneAt - sentAt > minLate)) return;
  const { deployment } = scene;
  const scopes = deployment.operation(write.operation)?.scopes;
  const [other] = scopes ? keysWith(deployment.tenant, scopes) : [];
  if (other === undefined) return;
  await scene.sleep(restOf(key, other));
  const size = volleySize(limitOf(key));
  const volleyNow = volley(size, fire, () => throttled(write, key));
  const { perSecond } = limitOf(other);
  const beside: Promise<Exchange>[] = [];
  for (let i = 0; i < Math.floor((part * perSecond * size) / limitOf(key).perSecond); i++) {
    beside.push(scene.send(throttled(write, other)));
    await scene.sleep(1000 / (part * perSecond));
  }
  await Promise.all([volleyNow, ...beside]);
}
