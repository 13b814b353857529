import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import { catalogueOfTenant, uuid } from '../../laws/labels/catalogue.ts';
import { labelSetsIn } from '../../laws/labels/label-sets.ts';
import type { Scene, Situation } from '../../situations/asking/situation.ts';
import { labelScene } from '../../situations/labels/label-holder.ts';
import { holderKey, holderParams, type LabelAct, labelOperations } from '../../target/holder.ts';
import { holdersOf, type KnownHolder, privatesOf, sparesOf } from '../../target/records.ts';

/** So many replies have to agree on what a holder carries. */
const enough = 3;
/**
 * Requests of the spare label and of others in each round. Whoever writes last writes over the rest, and that others are last is the more likely
 * the more there are.
 */
const writersIn = [
  [1, 3],
  [1, 3],
  [2, 6],
] as const;

/**
 * Where there is one spare label only, it is written together with labels that the holder has: to apply what is carried, and to remove what
 * is not, changes nothing, but a deployment that writes whole sets loses what was written meanwhile.
 */
export function inCompany(history: History): Situation[] {
  const { tenant } = deploymentIn(history);
  if (sparesOf(tenant).length !== 1) return [];
  return holdersOf(tenant).flatMap((known) => {
    const { carried, absent } = companionsOf(known, history);
    const { apply, remove } = labelOperations[known.holder.kind];
    return carried === undefined
      ? []
      : [
          {
            id: `labels/in-company/${known.slug}`,
            title: `a label is put on ${known.words} and taken off while others, which change nothing, are written too`,
            feeds: ['labels/apply-adds', 'labels/remove-removes', 'labels/membership-is-a-set'],
            uses: [apply, remove],
            locks: [holderKey(known.holder)],
            writes: 'labels',
            run: (scene) => written(scene, known, carried, absent),
          } satisfies Situation,
        ];
  });
}

/** A public label that every reply shows on this holder, and one that none does. */
function companionsOf({ holder, tenant }: KnownHolder, history: History) {
  const showings = labelSetsIn(history).showings.filter(
    (one) => one.tenant === tenant && holderKey(one.holder) === holderKey(holder),
  );
  const { stranger, tenant: own } = deploymentIn(history);
  const others = [own, ...(stranger ? [stranger] : [])].flatMap((one) => [...sparesOf(one), ...privatesOf(one)]);
  const not = new Set(others.map(({ id }) => id.toLowerCase()));
  const listed = [...catalogueOfTenant(history, tenant).labels.keys()].filter(
    (label) => uuid.test(label) && !not.has(label),
  );
  if (showings.length < enough) return { carried: undefined, absent: undefined };
  return {
    carried: listed.find((label) => showings.every(({ labels }) => labels.has(label))),
    absent: listed.find((label) => showings.every(({ labels, recognises }) => recognises(label) && !labels.has(label))),
  };
}

async function written(scene: Scene, known: KnownHolder, carried: string, absent: string | undefined): Promise<void> {
  const labels = await labelScene(scene, known);
  if (labels === null) return;
  const { write, read, readers, writers, spare } = labels;
  const { apply, remove } = labelOperations[known.holder.kind];
  const turn = (i: number) => {
    const key = writers[i % writers.length];
    return key === undefined ? {} : { key };
  };
  const applyCarried = (i: number) =>
    scene.send({ operation: apply, params: holderParams(known.holder, carried), carried: true, ...turn(i) });
  const beside = async (act: LabelAct, i: number) => {
    if (act === 'apply') await applyCarried(i);
    else if (absent !== undefined)
      await scene.send({ operation: remove, params: holderParams(known.holder, absent), ...turn(i) });
  };
  const opposite = { apply: 'remove', remove: 'apply' } as const;
  for (const [round, [own, others]] of writersIn.entries())
    for (const act of ['apply', 'remove'] as const) {
      // The others last: what they have read before is what they write after.
      await Promise.all([
        ...Array.from({ length: own }, (_, i) => write(act, spare.id, turn(i).key)),
        // Once what is put on is written beside what is taken off.
        ...Array.from({ length: others }, (_, i) => beside(round === 1 ? opposite[act] : act, own + i)),
      ]);
      // To write the spare label once more would hide that it was lost.
      if (readers.length > 0) await read();
      else await scene.sleep(scene.deployment.settleMilliseconds).then(() => applyCarried(0));
    }
}
