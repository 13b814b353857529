import { uuid } from '../../../spec/text/uuid.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import { catalogueOfTenant } from '../../laws/labels/sets/catalogue.ts';
import { labelSetsIn } from '../../laws/labels/sets/label-sets.ts';
import type { Situation } from '../../scripts/script.ts';
import { labelScene } from '../../situations/labels/label-holder.ts';
import { holderKey, holderParams, type LabelAct, labelOperations } from '../../target/holder.ts';
import { holdersOf, type KnownHolder, privatesOf, sparesOf, tenantsOf } from '../../target/records.ts';

/** What a holder carries is known when this many replies agree. */
const minReplies = 3;
/**
 * Concurrent requests of the spare label and of the other label, by round. With more requests of the other label it is likelier that one of
 * them ends last and overwrites the set.
 */
const requestsIn = [
  [1, 3],
  [1, 3],
  [2, 6],
  [1, 3],
] as const;

/**
 * For target files with a single spare label. Concurrent writes need two labels, so the second one is a label whose write changes nothing:
 * to apply a label that is carried, or to remove one that is not. A deployment that writes whole sets still loses the spare label.
 */
export function withOtherLabels(history: History): Situation[] {
  const { tenant } = deploymentIn(history);
  if (sparesOf(tenant).length !== 1) return [];
  return holdersOf(tenant).flatMap((record) => {
    const { carried, absent } = otherLabelsOf(record, history);
    const { apply, remove } = labelOperations[record.holder.kind];
    return carried === undefined
      ? []
      : [
          {
            id: `labels/in-company/${record.slug}`,
            title: `a label is put on ${record.words} and taken off while others, which change nothing, are written too`,
            feeds: ['labels/apply-adds', 'labels/remove-removes', 'labels/membership-is-a-set'],
            uses: [apply, remove],
            locks: [holderKey(record.holder)],
            writes: 'labels',
            run: (scene) => writeBoth(scene, record, carried, absent),
          } satisfies Situation,
        ];
  });
}

/** A public label that every reply shows on this holder, and one that no reply shows. */
export function otherLabelsOf({ holder, tenant }: KnownHolder, history: History) {
  const showings = labelSetsIn(history).showings.filter(
    (one) => one.tenant === tenant && holderKey(one.holder) === holderKey(holder),
  );
  const named = tenantsOf(deploymentIn(history)).flatMap((one) => [...sparesOf(one), ...privatesOf(one)]);
  const excluded = new Set(named.map(({ id }) => id.toLowerCase()));
  const listed = [...catalogueOfTenant(history, tenant).labels.keys()].filter(
    (label) => uuid.test(label) && !excluded.has(label),
  );
  if (showings.length < minReplies) return { carried: undefined, absent: undefined };
  return {
    carried: listed.find((label) => showings.every(({ labels }) => labels.has(label))),
    absent: listed.find((label) => showings.every(({ labels, recognises }) => recognises(label) && !labels.has(label))),
  };
}

async function writeBoth(scene: Scene, record: KnownHolder, carried: string, absent?: string): Promise<void> {
  const labels = await labelScene(scene, record);
  if (labels === null) return;
  const { write, read, readers, writers, spare } = labels;
  const { apply, remove } = labelOperations[record.holder.kind];
  const keyOfTurn = (i: number) => {
    const key = writers[i % writers.length];
    return key === undefined ? {} : { key };
  };
  const applyCarried = (i: number) =>
    scene.send({ operation: apply, params: holderParams(record.holder, carried), carried: true, ...keyOfTurn(i) });
  const writeOther = async (act: LabelAct, i: number) => {
    if (act === 'apply') await applyCarried(i);
    else if (absent !== undefined)
      await scene.send({ operation: remove, params: holderParams(record.holder, absent), ...keyOfTurn(i) });
  };
  const opposite = { apply: 'remove', remove: 'apply' } as const;
  for (const [round, [own, others]] of requestsIn.entries())
    for (const act of ['apply', 'remove'] as const) {
      // The other label is sent last: a lost update shows if its write ends after that of the spare label.
      await Promise.all([
        ...Array.from({ length: own }, (_, i) => write(act, spare.id, keyOfTurn(i).key)),
        // In the second round one label is applied while the other is removed.
        ...Array.from({ length: others }, (_, i) => writeOther(round === 1 ? opposite[act] : act, own + i)),
      ]);
      // Labels that cannot be read are shown in a reply to another write. A write of the spare label would hide its loss.
      if (readers.length > 0) await read();
      else await scene.sleep(scene.deployment.settleMilliseconds).then(() => applyCarried(0));
    }
}
