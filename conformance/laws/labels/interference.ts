import type { History } from '../../history/history.ts';
import { holderKey, labelWriteOf } from '../../target/holder.ts';
import { sparesOf } from '../../target/records.ts';
import { deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';
import { ownWrites } from './registers/own-writes.ts';
import { registerBreaches } from './registers/register-breaches.ts';
import { labelSetsIn, type Showing } from './sets/label-sets.ts';
import { staleReplies } from './sets/stale-replies.ts';
import { changedByUser, momentMilliseconds } from './user-changes.ts';

/** Prefix of the ids of situations that look for another client. */
export const experimentsId = 'experiments/';

/**
 * Why another client probably writes labels of the same records during the run; null where nothing indicates that. The decision rests on
 * pauses: times in which the run itself writes nothing.
 */
export const interference = once((history: History): string | null => {
  const early = spareBeforeRun(history);
  if (early !== null) return early;
  // Where replies surely show earlier states, nothing else indicates another client if that explains all that is wrong.
  if (staleReplies(history).kind !== 'none' && registerBreaches(history).every(({ stale }) => stale)) return null;
  const byUser = changedByUser(history);
  if (byUser !== null) return byUser;
  const unwritten = spareWithoutWrite(history);
  if (unwritten !== null) return unwritten;
  const [spare] = sparesOf(deploymentIn(history).tenant);
  for (const [label, pauses] of Map.groupBy(pausesIn(history), (pause) => pause.label))
    for (const on of [true, false]) {
      const alike = pauses.filter((pause) => pause.on === on);
      const changed = alike.filter((pause) => pause.changed);
      const opposite = pauses.filter((pause) => pause.on !== on && pause.changed);
      // A change after every write of the run, and in no other pause, is a late effect of the deployment itself.
      const irregular = changed.length < alike.length || opposite.length > 0;
      // The run does not write this label, so it should not change at all. One change may be due to an earlier write.
      const changedOften = changed.length > 1 && label !== spare?.id.toLowerCase();
      if (changed.length > 0 && (irregular || changedOften))
        return `another client writes to these records: while this run wrote nothing, a label ${on ? 'went from' : 'came to'} ${changed[0]?.holder} in ${changed.length} of ${alike.length} pauses`;
    }
  return null;
});

/** A spare label that a record carries before the run has written the label. */
function spareBeforeRun(history: History): string | null {
  const first = new Map<string, number>();
  for (const { operation, params, sentAt } of history.exchanges) {
    const label = labelWriteOf(operation, params)?.label.toLowerCase();
    if (label !== undefined && !first.has(label)) first.set(label, sentAt);
  }
  const { tenant } = deploymentIn(history);
  for (const { id, name } of sparesOf(tenant))
    for (const { exchange, labels, holder, tenant: owner } of labelSetsIn(history).showings)
      if (
        owner === tenant.name &&
        labels.has(id.toLowerCase()) &&
        exchange.doneAt <= (first.get(id.toLowerCase()) ?? Number.POSITIVE_INFINITY)
      )
        return `the spare label ${name ?? id}, which no record should carry, was on ${holderKey(holder)} before this run wrote it: another client uses it, or an earlier run left it there`;
  return null;
}

/**
 * A spare label that appears on a conversation though the run writes it to no record, comparing only reads with the same key. A wrong
 * deployment may apply where it should remove. Sets in replies to writes do not count, because they may wrongly be a part of the set.
 */
function spareWithoutWrite(history: History): string | null {
  const { tenant } = deploymentIn(history);
  const showings = labelSetsIn(history).showings.filter((showing) => showing.tenant === tenant.name);
  for (const { id, name } of sparesOf(tenant)) {
    const label = id.toLowerCase();
    const writes = history.exchanges.flatMap((exchange) => {
      const write = labelWriteOf(exchange.operation, exchange.params);
      return write ? [{ exchange, to: holderKey(write.holder), label: write.label.toLowerCase() }] : [];
    });
    const absentSince = new Map<string, number>();
    for (const { exchange, holder, labels } of showings) {
      if (labelWriteOf(exchange.operation, exchange.params) !== null) continue;
      const reader = `${holderKey(holder)}, read with ${exchange.key},`;
      const since = absentSince.get(reader);
      if (!labels.has(label)) absentSince.set(reader, exchange.sentAt);
      else {
        absentSince.delete(reader);
        // Any label on this holder counts, because a label of another tenant may have the same name.
        const ours = writes.some(
          (one) =>
            (one.label === label || one.to === holderKey(holder)) &&
            one.exchange.doneAt > (since ?? 0) &&
            one.exchange.sentAt < exchange.doneAt,
        );
        // Where the run has put the label on before, a late reply of the deployment may show it now.
        const last = ownWrites(history).findLast(
          (one) =>
            one.label === label && holderKey(one.holder) === holderKey(holder) && one.exchange.doneAt < exchange.sentAt,
        );
        const isLate = last?.act === 'apply' && last.takes !== null;
        if (since !== undefined && !ours && !isLate) {
          const age = last?.act === 'remove' && `${((exchange.doneAt - last.exchange.doneAt) / 1000).toFixed(1)} s`;
          return `another client writes to these records${age ? `, or replies are up to ${age} old, which settleMilliseconds can allow` : ''}: ${name ?? id} came to ${reader} while this run wrote it nowhere${age ? `; this run had removed it ${age} before` : ''}`;
        }
      }
    }
  }
  return null;
}

/** A time between two reads in which the run wrote nothing that could change the label. */
interface Pause {
  readonly holder: string;
  readonly label: string;
  /** Whether the holder carried the label at the beginning. */
  readonly on: boolean;
  readonly changed: boolean;
}

function pausesIn(history: History): Pause[] {
  const [spare, ...otherSpares] = sparesOf(deploymentIn(history).tenant).map(({ id }) => id.toLowerCase());
  const showings = labelSetsIn(history).showings.filter(({ exchange }) => exchange.situation.startsWith(experimentsId));
  if (spare === undefined) return [];
  const writes = ownWrites(history).filter(({ label }) => label === spare);
  return [...Map.groupBy(showings, ({ holder }) => holderKey(holder))].flatMap(([holder, ofHolder]) => {
    const written = writes.filter((write) => holderKey(write.holder) === holder);
    const moments = momentsOf(ofHolder.filter(({ exchange }) => !written.some((write) => write.exchange === exchange)));
    const labels = new Set([spare, ...ofHolder.flatMap((showing) => [...showing.labels.keys()])]);
    for (const label of otherSpares) labels.delete(label);
    return moments.flatMap((moment, i): Pause[] => {
      const next = moments[i + 1];
      if (next === undefined) return [];
      const [from, to] = [moment[0]?.exchange.sentAt ?? 0, next.at(-1)?.exchange.doneAt ?? 0];
      return [...labels].flatMap((label): Pause[] => {
        const before = unanimous(moment, label);
        const after = unanimous(next, label);
        // A label that the run does not write may also change by a wrong effect of a write to another record.
        const causes = label === spare ? written : writes;
        const isPause = !causes.some(({ exchange }) => exchange.doneAt > from && exchange.sentAt < to);
        return before !== null && after !== null && isPause
          ? [{ holder, label, on: before, changed: before !== after }]
          : [];
      });
    });
  });
}

/** Groups of showings that belong to the same moment. */
function momentsOf(showings: readonly Showing[]): Showing[][] {
  const groups: Showing[][] = [];
  for (const showing of showings) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && showing.exchange.sentAt - last[0].exchange.sentAt < momentMilliseconds)
      last.push(showing);
    else groups.push([showing]);
  }
  return groups;
}

/** Whether all showings have the label, or none; null where they differ, because then some reply is wrong. */
function unanimous(showings: readonly Showing[], label: string): boolean | null {
  const values = new Set(showings.map(({ labels }) => labels.has(label)));
  return values.size === 1 ? ([...values][0] ?? null) : null;
}
