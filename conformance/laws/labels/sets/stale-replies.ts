import type { Exchange } from '../../../history/exchange.ts';
import type { History } from '../../../history/history.ts';
import { labelWriteOf } from '../../../target/holder.ts';
import { deploymentIn } from '../../judging/asked.ts';
import { once } from '../../judging/law.ts';
import { labelSetsIn } from './label-sets.ts';

/** The situation that writes a label once, or many times, and then looks at it again and again. */
export const staleRepliesId = 'labels/stale-replies';

/** As many writes reach every instance of a deployment that keeps labels in several. */
export const repeats = 12;

/** Of six phases of each kind. One may be lost with a reply. */
const minPhases = 5;
/** Replies to writes of another label that show what the run wrote, and moments between them at which a read does not. */
const [minShown, minMoments] = [40, 10];

interface Stale {
  /** Replies of the situation that surely show an earlier state. */
  readonly replies: ReadonlySet<Exchange>;
  /** Which replies of the whole run may show an earlier state: none, those to reads, or also those to writes of other labels. */
  readonly kind: 'none' | 'reads' | 'all';
}

const none: Stale = { replies: new Set(), kind: 'none' };

/** A look at the label after writes of the run. */
interface Look {
  readonly exchange: Exchange;
  readonly isRead: boolean;
  readonly isRight: boolean;
}

interface Phase {
  readonly writes: readonly Exchange[];
  readonly looks: readonly Look[];
}

/** Replies that show an earlier state than that which the run wrote, though they had time to settle, where nobody else can be the cause. */
export const staleReplies = once((history: History): Stale => {
  const phases = phasesOf(history);
  const wrong = phases.flatMap(({ looks }) => looks.filter(({ isRight }) => !isRight));
  if (!(followsSingleWrites(phases) || onlyInReads(phases))) return none;
  return {
    replies: new Set(wrong.map(({ exchange }) => exchange)),
    kind: wrong.every(({ isRead }) => isRead) ? 'reads' : 'all',
  };
});

/**
 * Wrong and then right again after nearly every single write, and never wrong after many equal writes, which reach all instances and caches.
 * Another client does not know which writes the run repeats.
 */
function followsSingleWrites(phases: readonly Phase[]): boolean {
  const single = phases.filter(({ writes }) => writes.length === 1);
  const repeated = phases.filter(({ writes }) => writes.length >= repeats);
  const turns = ({ looks }: Phase) => {
    const first = looks.findIndex(({ isRight }) => !isRight);
    return first >= 0 && looks.slice(first).some(({ isRight }) => isRight);
  };
  return (
    single.filter(turns).length >= minPhases &&
    repeated.length >= minPhases &&
    repeated.every(({ looks }) => looks.every(({ isRight }) => isRight))
  );
}

/**
 * Wrong in reads at many moments, or after nearly every single write, and in none of the replies to writes between them. Another client would
 * have to write each time in between, and back.
 */
function onlyInReads(phases: readonly Phase[]): boolean {
  const looks = phases.flatMap((phase) => phase.looks);
  const shown = looks.filter(({ isRead }) => !isRead);
  const moments = new Set(
    looks.flatMap(({ isRight }, i) => (isRight ? [] : [looks.slice(0, i).filter(({ isRead }) => !isRead).length])),
  );
  const single = phases.filter(({ writes, looks }) => writes.length === 1 && looks.some(({ isRight }) => !isRight));
  return (
    shown.length >= minShown &&
    shown.every(({ isRight }) => isRight) &&
    (moments.size >= minMoments || single.length >= minPhases)
  );
}

/** The writes of the label, each group with the looks after it. */
function phasesOf(history: History): Phase[] {
  const { settleMilliseconds } = deploymentIn(history);
  const sent = history.exchanges.filter(({ situation }) => situation === staleRepliesId);
  const writeOf = ({ operation, params }: Exchange) => labelWriteOf(operation, params);
  const label = sent.flatMap((one) => writeOf(one)?.label.toLowerCase() ?? [])[0];
  if (label === undefined) return [];
  const isWrite = (one: Exchange) => writeOf(one)?.label.toLowerCase() === label;
  const groups: Exchange[][] = [];
  for (const [i, exchange] of sent.entries()) {
    const previous = sent[i - 1];
    if (isWrite(exchange) && !(previous && isWrite(previous))) groups.push([]);
    groups.at(-1)?.push(exchange);
  }
  return groups.flatMap((group): Phase[] => {
    const writes = group.filter(isWrite);
    const acts = new Set(writes.map((one) => writeOf(one)?.act));
    if (acts.size > 1 || writes.some(({ status }) => status === null || status >= 300)) return [];
    const settled = Math.max(...writes.map(({ doneAt }) => doneAt)) + settleMilliseconds;
    const looks = group.flatMap((exchange): Look[] => {
      const showing = labelSetsIn(history).of.get(exchange);
      if (isWrite(exchange) || exchange.sentAt <= settled || !showing?.recognises(label)) return [];
      return [
        { exchange, isRead: writeOf(exchange) === null, isRight: showing.labels.has(label) === acts.has('apply') },
      ];
    });
    return [{ writes, looks }];
  });
}
