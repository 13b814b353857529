import type { History } from '../../history/history.ts';
import { interference } from '../../laws/labels/interference.ts';
import { lateReadsId } from '../../laws/labels/sets/late-reads.ts';
import type { Situation } from '../../situations/asking/situation.ts';
import { labelScene } from '../../situations/labels/label-holder.ts';
import { holderKey, holderParams, labelOperations } from '../../target/holder.ts';
import { suspectsIn } from './experiments.ts';

const rounds = 2;
/** Milliseconds without a read, and with reads: each is long enough for a cache of five seconds. */
const seconds = 5_400;
/** Milliseconds between two reads. */
const between = 450;

/**
 * Where another client seems to write labels: whether the replies of the deployment itself are late. One label of one conversation is
 * written, and then read for seconds.
 */
export function lateReads(history: History): Situation[] {
  const record = suspectsIn(history).find(({ holder }) => holder.kind === 'conversation');
  if (record === undefined || interference(history) === null) return [];
  const { apply, remove } = labelOperations[record.holder.kind];
  return [
    {
      id: lateReadsId,
      title: `a label is put on ${record.words} and taken off, and read for seconds after each write`,
      feeds: ['labels/apply-adds', 'labels/remove-removes'],
      uses: [apply, remove, 'getConversationContext'],
      locks: [holderKey(record.holder)],
      writes: 'labels',
      async run(scene) {
        // A late reply would show the label that the run removed last.
        await scene.sleep(seconds);
        const found = await labelScene(scene, record);
        const [reader] = found?.readers ?? [];
        if (found === null || reader === undefined) return;
        const read = () =>
          scene.send({ operation: 'getConversationContext', params: holderParams(record.holder), key: reader });
        for (let round = 0; round < rounds; round++)
          for (const act of ['apply', 'remove'] as const) {
            // A cache keeps the reply to the read just before the write, so that each write shows how long.
            await scene.sleep(seconds);
            await read();
            await found.write(act, found.spare.id, found.writers[0]);
            for (let slept = 0; slept < seconds; slept += between) {
              await scene.sleep(between);
              await read();
            }
          }
      },
    },
  ];
}
