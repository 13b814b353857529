import { experimentsId } from '../../laws/labels/interference.ts';
import type { Situation } from '../../scripts/script.ts';
import { type LabelScene, labelScene } from '../../situations/labels/label-holder.ts';
import { holderKey, labelOperations } from '../../target/holder.ts';
import type { KnownHolder } from '../../target/records.ts';

const rounds = 3;
const readsAtOnce = 3;
/** Milliseconds of a pause. It is random, so that two runners do not stay in step. */
const pause = (random: () => number) => 500 + 1_500 * random();
/** Another client may write and undo its write within one pause, so there are two. */
const pausesAfterWrite = 2;
/** How often a record is looked at that carries the label already: another client may have put it on just now. */
const looks = 3;
/** Each round takes seconds, and another client that writes to one holder writes to others as well. */
const maxHolders = 2;

/**
 * Whether another client writes to records whose labels were wrong: writes with pauses in between, in which only another client changes
 * anything. All holders are written at the same time, so that all have their pauses at the same time.
 */
export function otherClient(suspects: readonly KnownHolder[]): Situation {
  const holders = suspects.slice(0, maxHolders);
  const operations = holders.map(({ holder }) => labelOperations[holder.kind]);
  return {
    id: `${experimentsId}${holders.map(({ slug }) => slug).join('-and-')}`,
    title: `a label is put on ${holders.map(({ words }) => words).join(' and ')} and taken off, and read again after each pause`,
    feeds: ['labels/apply-adds', 'labels/remove-removes'],
    uses: operations.flatMap(({ apply, remove }) => [apply, remove]),
    locks: holders.map(({ holder }) => holderKey(holder)),
    writes: 'labels',
    async run(scene) {
      const prepare = async (record: KnownHolder, look = 1): Promise<LabelScene | null> => {
        const labels = await labelScene(scene, record);
        if (labels !== null || look === looks) return labels;
        await scene.sleep(pause(scene.random));
        return prepare(record, look + 1);
      };
      const prepared = await Promise.all(holders.map((record) => prepare(record)));
      const scenes = prepared.filter((one) => one !== null);
      const readAll = () =>
        Promise.all(
          scenes.flatMap(({ read, readers, writers }) =>
            Array.from({ length: readsAtOnce }, (_, i) => read(readers[i % readers.length] ?? writers[0])),
          ),
        );
      if (scenes.length === 0) return;
      for (let round = 0; round < rounds; round++)
        for (const act of ['apply', 'remove'] as const) {
          await Promise.all(scenes.map(({ write, writers, spare }) => write(act, spare.id, writers[0])));
          await readAll();
          for (let i = 0; i < pausesAfterWrite; i++) {
            await scene.sleep(pause(scene.random));
            await readAll();
          }
        }
    },
  };
}
