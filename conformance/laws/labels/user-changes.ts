import { type Exchange, refused } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { type Holder, holderKey, labelWriteOf } from '../../target/holder.ts';
import { sparesOf, tenantsOf } from '../../target/records.ts';
import { deploymentIn } from '../judging/asked.ts';
import { showingsOf } from './registers/lives.ts';
import { type RegisterBreach, registerBreaches } from './registers/register-breaches.ts';
import { calledIn } from './sets/catalogue.ts';
import type { Showing } from './sets/label-sets.ts';

/** Replies within this time show the same state: no other client changes a label and changes it back so fast. */
export const momentMilliseconds = 1_000;

/** A change of a label of a record between two replies. */
interface Change {
  /** Whether the label came, or else went. */
  readonly came: boolean;
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
    return first && last
      ? [{ came: first.labels.has(label), before: before.length, last: last.exchange, first: first.exchange }]
      : [];
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
const oftenBefore = 6;

/** So many times for each change the same write had no such effect in the whole run. */
const oftenEver = 12;

/** A user changes a label so many times during a run at most; a busier one is seen in pauses. */
const maxChanges = 5;

/**
 * Why a user probably changed labels of the same records during the run; null where nothing indicates that: labels that this run does not write
 * changed a few times, when the run only sent what it sent often without such an effect. A fault of the deployment would be seen elsewhere as well.
 */
export function changedByUser(history: History): string | null {
  const spares = new Set(
    tenantsOf(deploymentIn(history))
      .flatMap(sparesOf)
      .map(({ id }) => id.toLowerCase()),
  );
  const breaches = registerBreaches(history);
  const changed = new Map(
    breaches
      .filter(({ label }) => !spares.has(label))
      .map(({ tenant, holder, label }) => [`${tenant} ${holderKey(holder)} ${label}`, { tenant, holder, label }]),
  );
  const changes = new Map(
    [...changed].map(([name, { tenant, holder, label }]) => [name, changesOf(tenant, holder, label, history)]),
  );
  const all = [...changes.values()].flat().map((change) => labelWritesWithin(change, history));
  const isUsers = ({ tenant, holder, label }: RegisterBreach) => {
    const own = changes.get(`${tenant} ${holderKey(holder)} ${label}`) ?? [];
    const isInnocent = (write: Exchange, { came }: Change) => {
      const to = labelWriteOf(write.operation, write.params);
      if (to?.label.toLowerCase() === label) return false;
      if (to === null || holderKey(to.holder) !== holderKey(holder) || isOften(write, history)) return true;
      const count = all.filter((writes) => writes.some((other) => isAlike(other, write))).length;
      // A refused write that changes another label than its own does so on other records as well.
      if (count === 1 && (refused(write) || write.status === 429)) return true;
      return withoutEffect({ tenant, label, write, came }, history) >= oftenEver * count;
    };
    const areInnocent = (change: Change) =>
      labelWritesWithin(change, history).every((write) => isInnocent(write, change));
    return own.length > 0 && own.length <= maxChanges && own.every(areInnocent);
  };
  const [first] = breaches;
  return first !== undefined && breaches.every(isUsers)
    ? `another client writes to these records: ${calledIn(history, first.tenant, first.label)} ${first.shows ? 'came to' : 'went from'} ${holderKey(first.holder)}, and this run sent the same writes often without such an effect`
    : null;
}

/** Whether the run has often sent such a write before. One without a reply may have had any. */
const isOften = (write: Exchange, { exchanges }: History) =>
  exchanges.filter((other) => other.n < write.n && isAlike(other, write)).length >= oftenBefore;

const isAlike = ({ operation, status }: Exchange, write: Exchange) =>
  operation === write.operation && (write.status === null || status === write.status);

/** How many such writes left the label as it was, on records where they could have had the effect. */
function withoutEffect(
  effect: { readonly tenant: string; readonly label: string; readonly write: Exchange; readonly came: boolean },
  history: History,
): number {
  const { tenant, label, write, came } = effect;
  return history.exchanges.filter((other) => {
    const to = isAlike(other, write) ? labelWriteOf(other.operation, other.params) : null;
    if (to === null || to.label.toLowerCase() === label) return false;
    const showings = showingsOf(history, tenant, to.holder, label);
    const before = showings.findLast(({ exchange }) => exchange.doneAt <= other.sentAt);
    const after = showings.find(({ exchange }) => exchange.doneAt >= other.doneAt);
    return [before, after].every((showing) => showing !== undefined && showing.labels.has(label) !== came);
  }).length;
}
