import { type Exchange, succeeded } from '../../../history/exchange.ts';
import type { History } from '../../../history/history.ts';
import { holderKey, type LabelAct, labelWriteOf } from '../../../target/holder.ts';
import { ownerOf } from '../../../target/records.ts';
import { askedBy, deploymentIn } from '../../judging/asked.ts';
import type { Showing } from '../sets/label-sets.ts';
import { type Life, lifeName } from './lives.ts';
import { type OwnWrite, ownWrites } from './own-writes.ts';

/** What probably caused a wrong state. */
export interface Cause {
  /** The write that probably caused the state but must not have: a refused write, or one to another holder or tenant; null where there is none. */
  readonly culprit: Exchange | null;
  /** The refused writes of this label to this holder that may have caused the state as well as the culprit, and the culprit. */
  readonly suspects: readonly Exchange[];
  /** The last lawful write of this label to another holder that may have caused the state as well. */
  readonly elsewhere: Exchange | null;
  /** The lawful writes to this holder between the last correct reply and this one, perhaps including the write with this reply. */
  readonly after: readonly OwnWrite[];
}

/** What is certain about a deployment, and so explains what has several possible causes. */
export interface Known {
  /** Kinds of refused writes that surely have an effect. */
  readonly kinds: ReadonlySet<string>;
  /** Acts of lawful writes that surely have an effect on other holders, by whether replies then show the label. */
  readonly spread: ReadonlySet<boolean>;
  /** Acts of lawful writes whose effect surely gets lost, by whether replies then show the label. */
  readonly losses: ReadonlySet<boolean>;
}

export function knownFrom(
  breaches: readonly (Cause & { readonly shows: boolean; readonly stale: boolean })[],
  history: History,
): Known {
  const spread = new Set(
    breaches.flatMap(({ culprit, elsewhere, shows }) => (culprit !== null && culprit === elsewhere ? [shows] : [])),
  );
  const kinds = breaches.flatMap(({ culprit, suspects, elsewhere, shows }) => {
    if (elsewhere !== null && spread.has(shows)) return [];
    const [kind, ...others] = new Set(suspects.map((one) => refusalKind(one, history)));
    return culprit !== null && kind !== undefined && others.length === 0 ? [kind] : [];
  });
  const lost = breaches.filter(
    ({ culprit, suspects, after, stale }) => culprit === null && suspects.length === 0 && after.length > 0 && !stale,
  );
  return { kinds: new Set(kinds), spread, losses: new Set(lost.map(({ shows }) => shows)) };
}

/** Why a write had to be refused. */
function refusalKind(exchange: Exchange, history: History): string {
  const { authenticates, record, targetKey, lacks } = askedBy(exchange, history);
  if (!authenticates) return targetKey?.revoked ? 'revoked' : exchange.credential;
  return record !== 'ours' ? 'tenant' : lacks.length > 0 ? 'scope' : `${exchange.status}`;
}

interface Wrong {
  readonly life: Life;
  readonly label: string;
  readonly shows: boolean;
  readonly good: Showing | undefined;
  readonly bad: Exchange;
  readonly history: History;
  readonly known: Known;
}

/** Finds the write that probably caused a wrong state, between the last correct reply and the first wrong one. */
export function causeOf({ life, label, shows, good, bad, history, known }: Wrong): Cause {
  const { settleMilliseconds } = deploymentIn(history);
  const since = good?.exchange.sentAt ?? Number.NEGATIVE_INFINITY;
  const within = (from: number) => (exchange: Exchange) =>
    (exchange.doneAt > from || exchange === good?.exchange) && exchange.sentAt < bad.doneAt;
  const all = ownWrites(history);
  const holderWrites = all.filter(
    ({ tenant, holder, takes }) =>
      takes !== null && tenant === life.tenant && holderKey(holder) === holderKey(life.holder),
  );
  // The last correct reply may have lagged, so earlier writes may be the cause too.
  const windows = [since, since - settleMilliseconds].map((from) =>
    holderWrites.filter(({ exchange }) => within(from)(exchange)),
  );
  const near = windows.find((window) => window.length > 0) ?? [];
  const act: LabelAct = shows ? 'apply' : 'remove';
  const opposites = holderWrites.flatMap((one) =>
    one.label === label && one.act !== act && one.done ? [one.exchange] : [],
  );
  const name = holderKey(life.holder);
  const lawful = new Set(all.filter(({ takes }) => takes !== null).map(({ exchange }) => exchange));
  let suspects: Exchange[] = [];
  let elsewhere: Exchange | null = null;
  let best = 0;
  for (const exchange of history.exchanges) {
    const write = labelWriteOf(exchange.operation, exchange.params);
    if (write === null || write.act !== act || !within(since - settleMilliseconds)(exchange)) continue;
    const sameLabel = write.label.toLowerCase() === label;
    const sameHolder = holderKey(write.holder) === name;
    const asker = askedBy(exchange, history).tenant?.name;
    const ours = ownerOf(deploymentIn(history), write.holder, asker) === life.tenant;
    if (lawful.has(exchange) && sameHolder && ours) continue;
    // A later lawful write of the opposite undoes what this one may have done.
    if (opposites.some((one) => one.sentAt >= exchange.doneAt && one.doneAt <= bad.doneAt)) continue;
    // A write that had to be refused may have done what it asked for, surely if it succeeded. A lawful write may have had an effect elsewhere.
    const asked = sameHolder && sameLabel ? (succeeded(exchange) ? 4 : 3) : sameHolder ? 2 : 0;
    const weight = lawful.has(exchange) ? (sameLabel ? 1 : 0) : asked;
    if (weight === 1) elsewhere = exchange;
    if (weight === 0 || weight < best) continue;
    suspects = weight > best ? [exchange] : [...suspects, exchange];
    best = weight;
  }
  // Lawful writes to this holder are the likelier cause, unless a refused write asked for exactly this change, and the label has changed.
  const hasChanged = good === undefined || good.labels.has(label) !== shows;
  const isUnlikely = (best < 3 || !hasChanged) && near.length > 0;
  // The reply to a write says that it was done, and no later reply has shown that it was kept.
  const isUnkept = life.writes.some((one) => one.exchange === good?.exchange && one.label === label);
  if (isUnlikely || (isUnkept && known.losses.has(shows)))
    return { culprit: null, suspects: [], elsewhere: null, after: near };
  const surely = suspects.findLast((one) => known.kinds.has(refusalKind(one, history)));
  if (elsewhere !== null && known.spread.has(shows) && surely === undefined && best < 4)
    return { culprit: elsewhere, suspects: [], elsewhere, after: near };
  return { culprit: surely ?? suspects.at(-1) ?? null, suspects: best < 3 ? [] : suspects, elsewhere, after: near };
}

/** The last lawful write of the label before the exchange. */
export const lastWrite = (life: Life, label: string, { n }: Exchange, history: History): OwnWrite[] =>
  ownWrites(history)
    .filter(
      (one) =>
        one.label === label &&
        lifeName(one.tenant, one.holder) === lifeName(life.tenant, life.holder) &&
        one.takes !== null &&
        one.exchange.n < n,
    )
    .slice(-1);
