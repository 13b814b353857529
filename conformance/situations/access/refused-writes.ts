import { holderParams, labelOperations } from '../../target/holder.ts';
import type { KnownHolder } from '../../target/records.ts';
import type { Ask, Scene } from '../asking/situation.ts';
import { type LabelScene, labelScene } from '../labels/label-holder.ts';

/** How a write differs from the owner's. */
export type WrongWay = Pick<Ask, 'key' | 'credential' | 'headers'>;

/**
 * Applies a spare label to a holder in each of these ways while it is not carried, and removes it in each while it is. After
 * those that are refused for one reason the owner lets a reply show the labels, so that it is known for which one was carried out all the same.
 * @param idle ways in which it is removed while it is not carried, too, and applied while it is: where there is nothing to do, nobody may have looked whether it is allowed
 * @returns null where nothing may be written
 */
export async function refusedWrites(
  scene: Scene,
  known: KnownHolder,
  ways: readonly WrongWay[],
  idle: readonly WrongWay[] = ways.slice(0, 1),
): Promise<LabelScene | null> {
  // Until reads have settled, one that shows what an earlier situation did says nothing.
  await scene.sleep(scene.deployment.settleMilliseconds);
  const prepared = await labelScene(scene, known);
  const [owner] = prepared?.writers ?? [];
  if (prepared === null || owner === undefined) return null;
  const { apply, remove } = labelOperations[known.holder.kind];
  const params = holderParams(known.holder, prepared.spare.id);
  const reasons = [...Map.groupBy(ways, reasonOf).values()];
  const refused = async (operation: Ask['operation']) => {
    for (const those of reasons) {
      for (const way of those) await scene.send({ operation, params, ...way });
      await showLabels(scene, prepared);
    }
  };
  for (const way of idle) await scene.send({ operation: remove, params, ...way });
  await refused(apply);
  await scene.send({ operation: apply, params, key: owner });
  await scene.sleep(scene.deployment.settleMilliseconds);
  for (const way of idle) await scene.send({ operation: apply, params, ...way });
  await refused(remove);
  return prepared;
}

/** What the ways have in common for which one rule says that they are refused. */
function reasonOf({ credential = 'key', key, headers }: WrongWay): string {
  if (credential === 'none' || credential === 'empty') return 'no key';
  if (credential === 'key') return key?.revoked ? 'revoked' : 'scopes or tenant';
  if (headers?.authorization?.startsWith('Bearer ')) return 'bearer beside another key';
  if (credential === 'bearer') return 'bearer';
  return credential === 'unknown' || credential === 'part-of-a-key' || credential === 'other-case'
    ? 'unknown'
    : 'elsewhere';
}

/** Lets a reply to the owner show the labels of a holder without writing its spare label: at once, as nothing of the owner's can lag. */
export async function showLabels({ send }: Scene, { holder, readers, writers, second }: LabelScene): Promise<void> {
  const [reader] = readers;
  const [writer] = writers;
  if (reader !== undefined)
    await send({ operation: 'getConversationContext', params: holderParams(holder.holder), key: reader });
  else if (writer !== undefined && second !== undefined) {
    const { apply } = labelOperations[holder.holder.kind];
    await send({ operation: apply, params: holderParams(holder.holder, second.id), key: writer });
  }
}
