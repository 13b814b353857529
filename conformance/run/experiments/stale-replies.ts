import type { History } from '../../history/history.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import { interference } from '../../laws/labels/interference.ts';
import { type RegisterBreach, registerBreaches } from '../../laws/labels/registers/register-breaches.ts';
import { repeats, staleRepliesId } from '../../laws/labels/sets/stale-replies.ts';
import type { Situation } from '../../scripts/script.ts';
import { holderKey, holderParams, type LabelAct, labelOperations } from '../../target/holder.ts';
import { keysWith } from '../../target/keys.ts';
import { sparesOf } from '../../target/records.ts';
import { suspectsIn } from './experiments.ts';
import { otherLabelsOf } from './with-other-labels.ts';

const rounds = 3;
const looks = 5;
/** Several at once, so that they have connections of their own. */
const atOnce = { reads: 2, writes: 6 };
/** Milliseconds between two looks. It is random, so that another client does not stay in step. */
const pause = (random: () => number) => 50 + 250 * random();
/** Milliseconds until a short cache has expired. It then keeps the reply to the read just before a write. */
const silence = 2_600;

/** Wrong states after lawful writes, for each that a refused write is blamed for: the refused ones are then blamed by chance. */
const minLawful = 2;

/** Whether another client, or late replies, may be the cause of what the deployment or a refused write is blamed for. */
function isDoubtful(history: History): boolean {
  if (interference(history) !== null) return true;
  const [lawful, blamed] = [registerBreaches(history).filter(isLawful), registerBreaches(history).filter(isBlamed)];
  return blamed.length > 0 && lawful.length >= minLawful * blamed.length;
}

const isBlamed = ({ culprit }: RegisterBreach) => culprit !== null;
const isLawful = ({ culprit, after }: RegisterBreach) => culprit === null && after.length > 0;

/**
 * Where another client seems to write labels: whether the deployment itself shows earlier states, from a cache or from another instance. One
 * label of one record is written once, or so often that every instance knows it, and looked at by reads and by writes of another label.
 */
export function staleReplies(history: History): Situation[] {
  const { tenant, operation } = deploymentIn(history);
  const [record] = suspectsIn(history);
  const [spare, second] = sparesOf(tenant);
  if (record === undefined || spare === undefined || !isDoubtful(history)) return [];
  const { apply, remove } = labelOperations[record.holder.kind];
  const other = second?.id ?? otherLabelsOf(record, history).carried;
  const scopesOf = (id: Parameters<typeof operation>[0]) => operation(id)?.scopes ?? [];
  return [
    {
      id: staleRepliesId,
      title: `a label is put on ${record.words} and taken off, once and many times, and looked at again and again`,
      feeds: ['labels/apply-adds', 'labels/remove-removes'],
      uses: [apply, remove],
      locks: [holderKey(record.holder)],
      writes: 'labels',
      async run({ deployment, send, sleep, random }) {
        const [writer] = keysWith(deployment.tenant, [...scopesOf(apply), ...scopesOf(remove)]);
        const [reader] =
          record.holder.kind === 'conversation' ? keysWith(deployment.tenant, scopesOf('getConversationContext')) : [];
        const write = (act: LabelAct, label: string, carried?: true) => {
          const params = holderParams(record.holder, label);
          return send({
            operation: labelOperations[record.holder.kind][act],
            params,
            ...(writer && { key: writer }),
            ...(carried && { carried }),
          });
        };
        const read = () =>
          reader && send({ operation: 'getConversationContext', params: holderParams(record.holder), key: reader });
        const many = <T>(count: number, one: () => T) => Promise.all(Array.from({ length: count }, one));
        for (let round = 0; round < rounds; round++)
          for (const act of ['apply', 'remove'] as const)
            for (const times of [1, repeats]) {
              if (times === 1) await sleep(silence).then(read);
              for (let left = times; left > 0; left -= atOnce.writes)
                await many(Math.min(left, atOnce.writes), () => write(act, spare.id));
              await sleep(deployment.settleMilliseconds + pause(random));
              for (let look = 0; look < looks; look++) {
                await sleep(pause(random));
                await many(atOnce.reads, read);
                if (other !== undefined) await write('apply', other, second ? undefined : true);
              }
            }
      },
    },
  ];
}
