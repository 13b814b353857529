import { mapValues } from '../../../spec/text/map-values.ts';
import { idInOtherCase } from '../../../spec/text/other-case.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import { holderParams, labelOperations } from '../../target/holder.ts';
import type { KnownHolder } from '../../target/records.ts';
import { type LabelScene, labelScene } from '../labels/label-holder.ts';

/** How a write that must be refused differs from a lawful one. */
export interface WrongWay extends Pick<Ask, 'key' | 'credential' | 'headers' | 'encoded' | 'query' | 'twist'> {
  /** The ids of the record have their UUIDs in the other letter case. */
  readonly otherCase?: true;
}

/**
 * Applies a spare label in each wrong way while the holder lacks it, and removes it in each wrong way while the holder carries it. After each
 * group of ways with the same reason for a refusal, the owner reads the labels, to show which group had an effect.
 * @param idle ways that also remove the label while the holder lacks it, and apply it while the holder carries it: a deployment may forget the
 * check where there is nothing to do
 * @returns null where the holder must not be written
 */
export async function refusedWrites(
  scene: Scene,
  record: KnownHolder,
  ways: readonly WrongWay[],
  idle: readonly WrongWay[] = ways.slice(0, 1),
): Promise<LabelScene | null> {
  // Reads may still show the effects of an earlier situation.
  await scene.sleep(scene.deployment.settleMilliseconds);
  const prepared = await labelScene(scene, record);
  const [owner] = prepared?.writers ?? [];
  if (prepared === null || owner === undefined) return null;
  const { apply, remove } = labelOperations[record.holder.kind];
  const params = holderParams(record.holder, prepared.spare.id);
  const inOtherCase = { ...mapValues(params, idInOtherCase), labelId: prepared.spare.id };
  const reasons = [...Map.groupBy(ways, reasonOf).values()];
  const refused = async (operation: Ask['operation']) => {
    for (const group of reasons) {
      for (const { otherCase, ...way } of group)
        await scene.send({ operation, params: otherCase ? inOtherCase : params, ...way });
      await prepared.show(owner);
    }
  };
  for (const way of idle) await scene.send({ operation: remove, params, ...way });
  // Shows which labels the holder carries, if nothing else does.
  if (prepared.readers.length === 0 && prepared.second === undefined)
    await prepared.write('remove', prepared.spare.id, owner);
  await refused(apply);
  await scene.send({ operation: apply, params, key: owner });
  await scene.sleep(scene.deployment.settleMilliseconds);
  for (const way of idle) await scene.send({ operation: apply, params, ...way });
  await refused(remove);
  return prepared;
}

/** The reason for the refusal of a way. */
function reasonOf({ credential = 'key', key, headers }: WrongWay): string {
  if (credential === 'none' || credential === 'empty') return 'no key';
  if (credential === 'key') return key?.revoked ? 'revoked' : 'scopes or tenant';
  if (headers?.authorization?.startsWith('Bearer ')) return 'bearer beside another key';
  if (credential === 'bearer') return 'bearer';
  return credential === 'unknown' || credential === 'part-of-a-key' || credential === 'other-case'
    ? 'unknown'
    : 'elsewhere';
}
