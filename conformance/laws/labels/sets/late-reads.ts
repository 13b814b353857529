import type { Exchange } from '../../../history/exchange.ts';
import type { History } from '../../../history/history.ts';
import { labelWriteOf } from '../../../target/holder.ts';
import { deploymentIn } from '../../judging/asked.ts';
import { once } from '../../judging/law.ts';
import { labelSetsIn } from './label-sets.ts';

/** The situation that reads a record for seconds after each write. */
export const lateReadsId = 'labels/late-reads';

/** Of four writes, so at least one of each kind. Chance, or another client, does not follow the run's own writes like this. */
const minLate = 3;

interface Late {
  /** Replies of the situation that are surely late. */
  readonly replies: ReadonlySet<Exchange>;
  /** Milliseconds: how old what a reply shows may be. Zero where no reply is surely late. */
  readonly age: number;
}

const none: Late = { replies: new Set(), age: 0 };

/**
 * Replies that show a state from before a write, though they had time to settle, where nobody else can be the cause: after nearly every
 * write of the situation the replies are wrong at first, and right from a moment on. Another client that writes the same label would also
 * change it the other way.
 */
export const lateReads = once((history: History): Late => {
  const { settleMilliseconds } = deploymentIn(history);
  const late: Exchange[][] = [];
  let age = 0;
  let before: Exchange | undefined;
  for (const [write, ...reads] of phasesOf(history)) {
    const act = write && labelWriteOf(write.operation, write.params);
    if (!act) {
      before = reads.at(-1) ?? write;
      continue;
    }
    const label = act.label.toLowerCase();
    const settled = reads.filter(({ sentAt }) => sentAt > write.doneAt + settleMilliseconds);
    const isRight = settled.map(
      (read) => labelSetsIn(history).of.get(read)?.labels.has(label) === (act.act === 'apply'),
    );
    // The situation may first try whether removals work.
    if (settled.length === 0) continue;
    const turned = isRight.indexOf(true);
    if (turned < 0 || isRight.slice(turned).includes(false)) return none;
    // The reply to the read just before the write may be kept, until it is too old.
    if (turned > 0) age = Math.max(age, (settled[turned] as Exchange).sentAt - (before ?? write).sentAt);
    if (turned > 0) late.push(settled.slice(0, turned));
    before = reads.at(-1);
  }
  return late.length >= minLate ? { replies: new Set(late.flat()), age } : none;
});

/** Each write with the reads after it, and before them the reads before the first write. */
function phasesOf({ exchanges }: History): Exchange[][] {
  const phases: Exchange[][] = [];
  for (const exchange of exchanges) {
    if (exchange.situation !== lateReadsId || exchange.status === null) continue;
    const isWrite = labelWriteOf(exchange.operation, exchange.params) !== null;
    if (isWrite || phases.length === 0) phases.push([exchange]);
    else phases.at(-1)?.push(exchange);
  }
  return phases;
}
