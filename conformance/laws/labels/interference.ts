import type { History } from '../../history/history.ts';
import { holderKey, labelWriteOf } from '../../target/holder.ts';
import { sparesOf } from '../../target/records.ts';
import { deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';
import { labelSetsIn, type Showing } from './label-sets.ts';
import { ownWrites } from './registers.ts';

/** Ids of situations that only look for somebody else begin so. */
export const experimentsId = 'experiments/';

/** Replies this close together show one state: nobody changes it and changes it back in between. */
const momentMilliseconds = 1_000;

/**
 * Why it is likely that somebody else writes the labels of these records while we do; null where nothing says so. A state that changed without us
 * may be somebody else's doing, and that is decided by what happens in silence: while nobody of us writes.
 */
export const interference = once((history: History): string | null => {
  const early = spareBeforeUs(history) ?? spareFromNowhere(history);
  if (early !== null) return early;
  const [spare] = sparesOf(deploymentIn(history).tenant);
  for (const [label, windows] of Map.groupBy(silences(history), (one) => one.label))
    for (const on of [true, false]) {
      const those = windows.filter((window) => window.on === on);
      const changed = those.filter((window) => window.changed);
      const others = windows.filter((window) => window.on !== on && window.changed);
      // What comes each time after our act, and never otherwise, is the deployment's own doing, only later.
      const elsewhere = changed.length < those.length || others.length > 0;
      // A label that we do not write has no reason to change twice.
      if (changed.length > 0 && (elsewhere || (changed.length > 1 && label !== spare?.id.toLowerCase())))
        return `somebody else writes to these records: in silence a label ${on ? 'went from' : 'came to'} ${changed[0]?.holder} in ${changed.length} of ${those.length} watches`;
    }
  return null;
});

/** A spare label that is there before we have written it anywhere. */
function spareBeforeUs(history: History): string | null {
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
        return `${name ?? id}, which nothing should carry, was on ${holderKey(holder)} before this run wrote it: somebody else uses it, or it was left there`;
  return null;
}

/**
 * A spare label that comes to a conversation while we apply it nowhere, as one key reads it. Sets in replies to writes are left out: a deployment that
 * answers with half a set, or to each key with another, would look the same.
 */
function spareFromNowhere(history: History): string | null {
  const { tenant } = deploymentIn(history);
  const showings = labelSetsIn(history).showings.filter((showing) => showing.tenant === tenant.name);
  for (const { id, name } of sparesOf(tenant)) {
    const label = id.toLowerCase();
    const applies = history.exchanges.flatMap((exchange) => {
      const write = labelWriteOf(exchange.operation, exchange.params);
      return write?.act === 'apply'
        ? [{ exchange, to: holderKey(write.holder), label: write.label.toLowerCase() }]
        : [];
    });
    const absent = new Map<string, number>();
    for (const { exchange, holder, labels } of showings) {
      if (labelWriteOf(exchange.operation, exchange.params) !== null) continue;
      const key = `${holderKey(holder)} as ${exchange.key} sees it`;
      const since = absent.get(key);
      if (!labels.has(label)) absent.set(key, exchange.sentAt);
      else if (labels.has(label)) {
        absent.delete(key);
        // A label of another tenant may have the same name.
        const ours = applies.some(
          (one) =>
            (one.label === label || one.to === holderKey(holder)) &&
            one.exchange.doneAt > (since ?? 0) &&
            one.exchange.sentAt < exchange.doneAt,
        );
        if (since !== undefined && !ours)
          return `somebody else writes to these records: ${name ?? id} came to ${key} while this run applied it nowhere`;
      }
    }
  }
  return null;
}

interface Silence {
  readonly holder: string;
  readonly label: string;
  /** Whether the label was on, when the watch began. */
  readonly on: boolean;
  readonly changed: boolean;
}

/** Times of the experiments in which a label was watched and nothing written that could have changed it. */
function silences(history: History): Silence[] {
  const [spare, ...reading] = sparesOf(deploymentIn(history).tenant).map(({ id }) => id.toLowerCase());
  const showings = labelSetsIn(history).showings.filter(({ exchange }) => exchange.situation.startsWith(experimentsId));
  if (spare === undefined) return [];
  const writes = ownWrites(history).filter(({ label }) => label === spare);
  return Object.entries(Object.groupBy(showings, ({ holder }) => holderKey(holder))).flatMap(([holder, those = []]) => {
    const own = writes.filter((write) => holderKey(write.holder) === holder);
    const looks = momentsOf(those.filter(({ exchange }) => !own.some((write) => write.exchange === exchange)));
    const labels = new Set([spare, ...those.flatMap((showing) => [...showing.labels.keys()])]);
    for (const label of reading) labels.delete(label);
    return looks.flatMap((look, i): Silence[] => {
      const next = looks[i + 1];
      if (next === undefined) return [];
      const [from, to] = [look[0]?.exchange.sentAt ?? 0, next.at(-1)?.exchange.doneAt ?? 0];
      return [...labels].flatMap((label): Silence[] => {
        const before = unanimous(look, label);
        const after = unanimous(next, label);
        // Of labels that are not ours even a write to another record may be the cause.
        const causes = label === spare ? own : writes;
        const silent = !causes.some(({ exchange }) => exchange.doneAt > from && exchange.sentAt < to);
        return before !== null && after !== null && silent
          ? [{ holder, label, on: before, changed: before !== after }]
          : [];
      });
    });
  });
}

/** Showings in groups that belong to one moment. */
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

/** What all of them say; null where they differ, because then the reading is at fault. */
function unanimous(showings: readonly Showing[], label: string): boolean | null {
  const values = new Set(showings.map(({ labels }) => labels.has(label)));
  return values.size === 1 ? ([...values][0] ?? null) : null;
}
