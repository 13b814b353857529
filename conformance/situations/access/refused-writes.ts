import { holderParams, labelOperations } from '../../target/holder.ts';
import type { KnownHolder } from '../../target/records.ts';
import type { Ask, Scene } from '../asking/situation.ts';
import { type LabelScene, labelScene } from '../labels/label-holder.ts';

/** How a write differs from the owner's. */
export type WrongWay = Pick<Ask, 'key' | 'credential' | 'headers'>;

/**
 * Applies a spare label to a holder in each of these ways while it is not carried, and removes it in each while it is. After
 * each request the owner lets a reply show the labels, so that one that was refused and carried out all the same is told from the next.
 * @returns null where nothing may be written
 */
export async function refusedWrites(
  scene: Scene,
  known: KnownHolder,
  ways: readonly WrongWay[],
): Promise<LabelScene | null> {
  // Until reads have settled, one that shows what an earlier situation did says nothing.
  await scene.sleep(scene.deployment.settleMilliseconds);
  const prepared = await labelScene(scene, known);
  const [owner] = prepared?.writers ?? [];
  if (prepared === null || owner === undefined) return null;
  const { apply, remove } = labelOperations[known.holder.kind];
  const params = holderParams(known.holder, prepared.spare.id);
  for (const way of ways) {
    await scene.send({ operation: apply, params, ...way });
    await showLabels(scene, prepared);
  }
  await scene.send({ operation: apply, params, key: owner });
  await scene.sleep(scene.deployment.settleMilliseconds);
  for (const way of ways) {
    await scene.send({ operation: remove, params, ...way });
    await showLabels(scene, prepared);
  }
  return prepared;
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
