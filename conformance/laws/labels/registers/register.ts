import type { History } from '../../../history/history.ts';
import { type Holder, holderKey, labelWriteOf } from '../../../target/holder.ts';
import { sparesOf, tenantsOf } from '../../../target/records.ts';
import { deploymentIn } from '../../judging/asked.ts';
import { once } from '../../judging/law.ts';
import type { LawfulWrite, Life } from './lives.ts';

type Effective = LawfulWrite & { readonly takes: readonly [number, number] };

/** One label of one holder: a register with the values carried and not carried, as in tests of linearizability. */
export interface Register {
  readonly writes: readonly Effective[];
  /** The value before the run; undefined where unknown. */
  readonly initially: boolean | undefined;
}

/** The possible values of the register between two times; undefined stands for an unknown value. */
export function valuesBetween(
  { writes, initially }: Register,
  from: number,
  to: number,
): ReadonlySet<boolean | undefined> {
  // The last successful write that ended before overwrites every write that ended before it began.
  const covered = writes.reduce(
    (last, { done, takes: [begin, end] }) => (done && end < from ? Math.max(last, begin) : last),
    Number.NEGATIVE_INFINITY,
  );
  const values = new Set<boolean | undefined>();
  if (covered === Number.NEGATIVE_INFINITY) values.add(initially);
  for (const {
    act,
    takes: [begin, end],
  } of writes)
    if (begin <= to && end >= covered) values.add(act === 'apply');
  return values;
}

export const certain = (values: ReadonlySet<boolean | undefined>): boolean | null =>
  values.size === 1 ? ([...values][0] ?? null) : null;

export function registerOf({ tenant, holder, writes, showings }: Life, label: string, history: History): Register {
  const own = writes.filter((write): write is Effective => write.label === label && write.takes !== null);
  // Only replies before the first write, lawful or not, show the value before the run.
  const first = attemptsOf(history).get(attemptName(holder, label)) ?? Number.POSITIVE_INFINITY;
  const before = showings
    .filter(({ exchange, recognises }) => recognises(label) && exchange.doneAt <= first)
    .slice(0, 3)
    .map(({ labels }) => labels.has(label));
  // The majority counts, so that a single wrong reply at the start does not make all others wrong.
  const majority = before.filter((shown) => shown === before[0]).length * 2 > before.length ? before[0] : !before[0];
  return { writes: own, initially: before.length > 0 ? majority : isSpare(tenant, label, history) ? false : undefined };
}

const attemptName = (holder: Holder, label: string) => `${holderKey(holder)} ${label}`;

/** The time of the first write of each label to each holder, by any key. */
const attemptsOf = once((history: History): ReadonlyMap<string, number> => {
  const firstSent = new Map<string, number>();
  for (const { operation, params, sentAt } of history.exchanges) {
    const write = labelWriteOf(operation, params);
    if (write === null) continue;
    const name = attemptName(write.holder, write.label.toLowerCase());
    firstSent.set(name, Math.min(firstSent.get(name) ?? sentAt, sentAt));
  }
  return firstSent;
});

export const isSpare = (tenant: string, label: string, history: History) =>
  tenantsOf(deploymentIn(history)).some(
    (one) => one.name === tenant && sparesOf(one).some(({ id }) => id.toLowerCase() === label),
  );

/** The values that concurrent writes may have left before this write was answered. */
export const concurrent = ({ writes }: Register, { exchange }: Pick<LawfulWrite, 'exchange'>): boolean[] =>
  writes
    .filter(
      ({ exchange: other, takes: [begin, end] }) =>
        other !== exchange && end >= exchange.sentAt && begin <= exchange.doneAt,
    )
    .map(({ act }) => act === 'apply');
