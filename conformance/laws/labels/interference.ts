import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { type Holder, holderKey, labelWriteOf } from '../../target/holder.ts';
import { sparesOf, tenantsOf } from '../../target/records.ts';
import { deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';
import { showingsOf } from './registers/lives.ts';
import { ownWrites } from './registers/own-writes.ts';
import { type RegisterBreach, registerBreaches } from './registers/register-breaches.ts';
import { calledIn } from './sets/catalogue.ts';
import { labelSetsIn, type Showing } from './sets/label-sets.ts';
import { staleReplies } from './sets/stale-replies.ts';

/** Prefix of the ids of situations that look for another client. */
export const experimentsId = 'experiments/';

/** Replies within this time show the same state: no other client changes a label and changes it back so fast. */
const momentMilliseconds = 1_000;

/**
 * Why another client probably writes labels of the same records during the run; null where nothing indicates that. The decision rests on
 * pauses: times in which the run itself writes nothing.
 */
export const interference = once((history: History): string | null => {
  const early = spareBeforeRun(history);
  if (early !== null) return early;
  // Where replies surely show earlier states, nothing else indicates another client if that explains all that is wrong.
  if (staleReplies(history).kind !== 'none' && registerBreaches(history).every(({ stale }) => stale)) return null;
  const byUser = changedAtTimes(history);
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

/** A change of a label of a record between two replies. */
interface Change {
  /** How many replies show the state before, since the change before it. */
  readonly before: number;
  /** The last reply with that state, and the first with the other. */
  readonly last: Exchange;
  readonly first: Exchange;
}

/** So many replies show a state that a user left, with time between them. A wrong reply now and then is not repeated so often. */
const minReplies = 3;

/** The changes of a label of a record that replies show; none where a state does not last. */
function changesOf(tenant: string, holder: Holder, label: string, history: History): readonly Change[] {
  const states: Showing[][] = [];
  for (const showing of showingsOf(history, tenant, holder, label))
    if (states.at(-1)?.[0]?.labels.has(label) === showing.labels.has(label)) states.at(-1)?.push(showing);
    else states.push([showing]);
  const lasts = (state: readonly Showing[]) =>
    state.length >= minReplies &&
    (state.at(-1)?.exchange.doneAt ?? 0) - (state[0]?.exchange.sentAt ?? 0) >= momentMilliseconds;
  // Keys or operations that never agree with each other do not show a change.
  const readers = (state: readonly Showing[] = []) =>
    new Set(state.map(({ exchange: { key, operation } }) => `${key} ${operation}`));
  const isChange = (state: readonly Showing[], i: number) =>
    [...readers(state)].some((reader) => readers(states[i - 1]).has(reader));
  const later = states.slice(1);
  if (later.length > 1 && !(later.every(lasts) && later.every((state, i) => isChange(state, i + 1)))) return [];
  return later.flatMap(([first], i) => {
    const before = states[i] ?? [];
    const last = before.at(-1);
    return first && last ? [{ before: before.length, last: last.exchange, first: first.exchange }] : [];
  });
}

/** The only change of a label of a record that replies show: at first they all show the one state, and then all the other. */
export function onlyChange(tenant: string, holder: Holder, label: string, history: History): Change | null {
  const [change, ...others] = changesOf(tenant, holder, label, history);
  return change !== undefined && others.length === 0 ? change : null;
}

/** All writes of labels, lawful or not, that may have caused the change. */
export const labelWritesWithin = ({ last, first }: Change, { exchanges }: History): readonly Exchange[] =>
  exchanges.filter(
    ({ operation, params, sentAt, doneAt }) =>
      labelWriteOf(operation, params) !== null && doneAt >= last.sentAt && sentAt <= first.doneAt,
  );

/** So many times the same write had no such effect before. A fault in every third write would have shown. */
const oftenEnough = 6;

/** A user changes a label so many times during a run at most; a busier one is seen in pauses. */
const maxChanges = 5;

/**
 * Labels that this run does not write, and that changed a few times, when the run only sent what it had sent often before without such
 * an effect. So a user changes a label; a fault of the deployment would be seen elsewhere as well.
 */
function changedAtTimes(history: History): string | null {
  const spares = new Set(
    tenantsOf(deploymentIn(history))
      .flatMap(sparesOf)
      .map(({ id }) => id.toLowerCase()),
  );
  const isUsers = ({ tenant, holder, label }: RegisterBreach) => {
    const changes = spares.has(label) ? [] : changesOf(tenant, holder, label, history);
    const isInnocent = (write: Exchange) => {
      const to = labelWriteOf(write.operation, write.params);
      if (to?.label.toLowerCase() === label) return false;
      return to === null || holderKey(to.holder) !== holderKey(holder) || isOften(write, history);
    };
    return (
      changes.length > 0 &&
      changes.length <= maxChanges &&
      changes.every((change) => labelWritesWithin(change, history).every(isInnocent))
    );
  };
  const breaches = registerBreaches(history);
  const [first] = breaches;
  return first !== undefined && breaches.every(isUsers)
    ? `another client writes to these records: ${calledIn(history, first.tenant, first.label)} ${first.shows ? 'came to' : 'went from'} ${holderKey(first.holder)}, and this run had sent the same writes before without such an effect`
    : null;
}

/** Whether the run has often sent such a write before. One without a reply may have had any. */
const isOften = (write: Exchange, { exchanges }: History) =>
  exchanges.filter(
    ({ operation, status, n }) =>
      n < write.n && operation === write.operation && (write.status === null || status === write.status),
  ).length >= oftenEnough;

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
