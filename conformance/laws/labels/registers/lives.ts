import { type Exchange, succeeded } from '../../../history/exchange.ts';
import type { History } from '../../../history/history.ts';
import { type Holder, holderKey, type LabelAct, labelWriteOf } from '../../../target/holder.ts';
import { askedBy, deploymentIn } from '../../judging/asked.ts';
import { once } from '../../judging/law.ts';
import { labelSetsIn, type Showing } from '../sets/label-sets.ts';

/** A lawful write to a holder of the key's own tenant. */
export interface LawfulWrite {
  readonly exchange: Exchange;
  readonly tenant: string;
  readonly holder: Holder;
  readonly act: LabelAct;
  /** In lower case. */
  readonly label: string;
  /** The time within which the write may have taken effect; null for a refused write, which has no effect. */
  readonly takes: readonly [from: number, to: number] | null;
  /** Whether the reply was a success. */
  readonly done: boolean;
}

/** Everything that happened to the labels of one holder, in order. */
export interface Life {
  readonly tenant: string;
  readonly holder: Holder;
  readonly writes: readonly LawfulWrite[];
  readonly showings: readonly Showing[];
}

export const lifeName = (tenant: string, holder: Holder) => `${tenant} ${holderKey(holder)}`;

/** An unanswered write may take effect within this time. */
const arrivalMilliseconds = 30_000;

export const lives = once((history: History): ReadonlyMap<string, Life> => {
  const byName = new Map<string, { tenant: string; holder: Holder; writes: LawfulWrite[]; showings: Showing[] }>();
  const lifeOf = (tenant: string, holder: Holder) => {
    const name = lifeName(tenant, holder);
    const life = byName.get(name) ?? { tenant, holder, writes: [], showings: [] };
    byName.set(name, life);
    return life;
  };
  for (const exchange of history.exchanges) {
    const write = ownWriteOf(exchange, history);
    if (write !== null) lifeOf(write.tenant, write.holder).writes.push(write);
  }
  for (const showing of labelSetsIn(history).showings) lifeOf(showing.tenant, showing.holder).showings.push(showing);
  return byName;
});

/** The exchange as a lawful write; null if it is not a write, or if it must not have an effect by the contract. */
function ownWriteOf(exchange: Exchange, history: History): LawfulWrite | null {
  const write = labelWriteOf(exchange.operation, exchange.params);
  if (write === null) return null;
  const { tenant, authenticates, record, label, lacks } = askedBy(exchange, history);
  if (tenant === undefined || !authenticates || record !== 'ours') return null;
  if (label !== 'spare' && label !== 'listed-or-unknown') return null;
  const { status, sentAt, doneAt, operation } = exchange;
  if (lacks.length > 0) {
    const deployed = deploymentIn(history).operation(operation);
    if (deployed?.provenance.scopes === 'documented' || !succeeded(exchange)) return null;
  }
  const lost = status === null || status === 502 || status === 504;
  const refused = status !== null && status < 500 && !succeeded(exchange);
  return {
    exchange,
    tenant: tenant.name,
    holder: write.holder,
    act: write.act,
    label: write.label.toLowerCase(),
    takes: refused ? null : [sentAt, lost ? Math.max(doneAt, sentAt + arrivalMilliseconds) : doneAt],
    done: succeeded(exchange),
  };
}

/** The replies that tell whether a holder carries a label. */
export const showingsOf = (history: History, tenant: string, holder: Holder, label: string): readonly Showing[] =>
  (lives(history).get(lifeName(tenant, holder))?.showings ?? []).filter(
    ({ labels, recognises }) => labels.has(label) || recognises(label),
  );
