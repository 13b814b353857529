import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { labelWriteOf } from '../../target/holder.ts';
import { deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';
import { experimentsId } from './interference.ts';
import { labelSetsIn, type Showing } from './label-sets.ts';
import { lifeName, registerBreaches } from './registers.ts';

/** The situation that reads a record for seconds after each write. */
export const lateReadsId = 'labels/late-reads';

/** Of four writes, so at least one of each kind. Chance, or another client, does not follow the run's own writes like this. */
const minLate = 3;

/**
 * Replies that show a state from before a write, though they had time to settle, where nobody else can be the cause: after nearly every
 * write of the situation the replies are wrong at first, and right from a moment on. Another client that writes the same label would also
 * change it the other way.
 */
const lateAfterWrites = (history: History): readonly Exchange[] => {
  const { settleMilliseconds } = deploymentIn(history);
  const late: Exchange[][] = [];
  for (const [write, ...reads] of phasesOf(history)) {
    const act = write && labelWriteOf(write.operation, write.params);
    if (!act) continue;
    const label = act.label.toLowerCase();
    const settled = reads.filter(({ sentAt }) => sentAt > write.doneAt + settleMilliseconds);
    const isRight = settled.map(
      (read) => labelSetsIn(history).of.get(read)?.labels.has(label) === (act.act === 'apply'),
    );
    const turned = isRight.indexOf(true);
    if (turned < 0 || isRight.slice(turned).includes(false)) return [];
    if (turned > 0) late.push(settled.slice(0, turned));
  }
  return late.length >= minLate ? late.flat() : [];
};

/** Each write with the reads after it. */
function phasesOf({ exchanges }: History): Exchange[][] {
  const phases: Exchange[][] = [];
  for (const exchange of exchanges) {
    if (exchange.situation !== lateReadsId || exchange.status === null) continue;
    const isWrite = labelWriteOf(exchange.operation, exchange.params) !== null;
    if (isWrite) phases.push([exchange]);
    else phases.at(-1)?.push(exchange);
  }
  return phases;
}

/** Milliseconds. Reads that were sent this soon after the first one were sent together. */
const together = 50;

/** So many groups, and so many times as many as those in which all reads are wrong. */
const [minGroups, minTimes] = [3, 2];

/**
 * Wrong replies among several reads of one record that were sent together, others of which are right, time after time. What another client
 * changes stays for a while, so all reads of most other groups would be wrong.
 */
const contradicted = (history: History): readonly Exchange[] => {
  const found: Exchange[] = [];
  const registers = Map.groupBy(
    registerBreaches(history),
    ({ tenant, holder, label }) => `${lifeName(tenant, holder)} ${label}`,
  );
  const all = readsTogether(history);
  for (const breaches of registers.values()) {
    const name = breaches[0] && lifeName(breaches[0].tenant, breaches[0].holder);
    const wrong = new Set(breaches.map(({ exchange }) => exchange));
    const groups = all
      .map((group) => group.filter((one) => lifeName(one.tenant, one.holder) === name))
      .filter((group) => group.some(({ exchange }) => wrong.has(exchange)));
    const mixed = groups.filter((group) => group.some(({ exchange }) => !wrong.has(exchange)));
    if (mixed.length < minGroups || mixed.length < minTimes * (groups.length - mixed.length)) continue;
    found.push(...mixed.flat().flatMap(({ exchange }) => (wrong.has(exchange) ? [exchange] : [])));
  }
  return found;
};

/** The reads of the experiments that look for another client, in groups that were sent together. */
function readsTogether(history: History): readonly (readonly Showing[])[] {
  const groups: Showing[][] = [];
  for (const showing of labelSetsIn(history).showings) {
    const { operation, situation, sentAt } = showing.exchange;
    if (operation !== 'getConversationContext' || !situation.startsWith(experimentsId)) continue;
    const first = groups.at(-1)?.[0];
    if (first !== undefined && sentAt - first.exchange.sentAt <= together) groups.at(-1)?.push(showing);
    else groups.push([showing]);
  }
  return groups;
}

/** Replies that show a state from before a write, where nobody else can be the cause. */
export const lateReads = once(
  (history: History): ReadonlySet<Exchange> => new Set([...lateAfterWrites(history), ...contradicted(history)]),
);
