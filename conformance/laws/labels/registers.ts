import { uuid } from '../../../spec/text/uuid.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { type Holder, holderKey, type LabelAct, labelWriteOf } from '../../target/holder.ts';
import { ownerOf, privatesOf, sparesOf, tenantsOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { type Breach, once } from '../judging/law.ts';
import { catalogueOfTenant } from './catalogue.ts';
import { labelSetsIn, type Showing } from './label-sets.ts';
import { lateReads } from './late-reads.ts';

/** A reply shows a state of a label that the lawful writes of the run cannot have caused. */
export interface RegisterBreach extends Breach {
  readonly tenant: string;
  readonly holder: Holder;
  /** Id of the label with the wrong state. */
  readonly label: string;
  /** Whether the reply shows the label. */
  readonly shows: boolean;
  /** The write that probably caused the state but must not have: a refused write, or one to another holder or tenant; null where there is none. */
  readonly culprit: Exchange | null;
  /** The refused writes of this label to this holder that may have caused the state as well as the culprit, and the culprit. */
  readonly suspects: readonly Exchange[];
  /** The lawful writes to this holder between the last correct reply and this one, perhaps including the write with this reply. */
  readonly after: readonly OwnWrite[];
  /** Whether the next reply shows the wrong state as well. */
  readonly persists: boolean;
  /** Whether the state was true so short a time ago that the deployment, whose replies are late, still shows it. */
  readonly late: boolean;
}

/** A lawful write to a holder of the key's own tenant. */
export interface OwnWrite {
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
  /** Whether the holder carried the label before the write; null where that is not certain. */
  readonly carried: boolean | null;
}

/** Everything that happened to the labels of one holder, in order. */
interface Life {
  readonly tenant: string;
  readonly holder: Holder;
  readonly writes: readonly Omit<OwnWrite, 'carried'>[];
  readonly showings: readonly Showing[];
}

export const lifeName = (tenant: string, holder: Holder) => `${tenant} ${holderKey(holder)}`;

/** An unanswered write may take effect within this time. */
const arrivalMilliseconds = 30_000;

export const lives = once((history: History): ReadonlyMap<string, Life> => {
  const byName = new Map<
    string,
    { tenant: string; holder: Holder; writes: Omit<OwnWrite, 'carried'>[]; showings: Showing[] }
  >();
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
function ownWriteOf(exchange: Exchange, history: History): Omit<OwnWrite, 'carried'> | null {
  const write = labelWriteOf(exchange.operation, exchange.params);
  if (write === null) return null;
  const { tenant, authenticates, record, label, lacks } = askedBy(exchange, history);
  if (tenant === undefined || !authenticates || record !== 'ours') return null;
  if (label !== 'spare' && label !== 'listed-or-unknown') return null;
  const { status, sentAt, doneAt, operation } = exchange;
  if (lacks.length > 0) {
    const deployed =
      operation === null || operation === 'storage' ? undefined : deploymentIn(history).operation(operation);
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

type Effective = Omit<OwnWrite, 'carried'> & { readonly takes: readonly [number, number] };

/** One label of one holder: a register with the values carried and not carried, as in tests of linearizability. */
interface Register {
  readonly writes: readonly Effective[];
  /** The value before the run; undefined where unknown. */
  readonly initially: boolean | undefined;
}

/** The possible values of the register between two times; undefined stands for an unknown value. */
function valuesBetween({ writes, initially }: Register, from: number, to: number): ReadonlySet<boolean | undefined> {
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

const certain = (values: ReadonlySet<boolean | undefined>): boolean | null =>
  values.size === 1 ? ([...values][0] ?? null) : null;

function registerOf({ tenant, holder, writes, showings }: Life, label: string, history: History): Register {
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

const isSpare = (tenant: string, label: string, history: History) =>
  tenantsIn(history).some((one) => one.name === tenant && sparesOf(one).some(({ id }) => id.toLowerCase() === label));

const tenantsIn = (history: History) => tenantsOf(deploymentIn(history));

/** All lawful writes, in the order of sending. */
export const ownWrites = once((history: History): readonly OwnWrite[] =>
  [...lives(history).values()]
    .flatMap((life) => {
      const registers = new Map<string, Register>();
      return life.writes.map((write): OwnWrite => {
        const register = registers.get(write.label) ?? registerOf(life, write.label, history);
        registers.set(write.label, register);
        const { exchange } = write;
        const withoutThis = { ...register, writes: register.writes.filter((one) => one.exchange !== exchange) };
        return { ...write, carried: certain(valuesBetween(withoutThis, exchange.sentAt, exchange.doneAt)) };
      });
    })
    .sort((a, b) => a.exchange.n - b.exchange.n),
);

/** Every reply that shows a label that cannot be there, or lacks a label that must be there. */
export const registerBreaches = once((history: History): readonly RegisterBreach[] => {
  const hidden = new Set(
    tenantsIn(history).flatMap((one) => privatesOf(one).flatMap(({ id, name }) => [id.toLowerCase(), `=${name}`])),
  );
  const breachesWith = (known: Known) =>
    [...lives(history).values()].flatMap((life) => {
      const labels = new Set([
        ...life.showings.flatMap((showing) => [...showing.labels.keys()]),
        ...life.writes.map(({ label }) => label),
      ]);
      return [...labels]
        .filter((label) => !hidden.has(label) && !mayBeWritten(life, label))
        .flatMap((label) => breachesOf(life, label, history, known));
    });
  const first = breachesWith({ kinds: new Set(), losses: new Set() });
  const known = knownFrom(first, history);
  return known.kinds.size + known.losses.size > 0 && first.some(({ culprit }) => culprit !== null)
    ? breachesWith(known)
    : first;
});

/** What is certain about a deployment, and so explains what has several possible causes. */
interface Known {
  /** Kinds of refused writes that surely have an effect. */
  readonly kinds: ReadonlySet<string>;
  /** Acts of lawful writes whose effect surely gets lost, by whether replies then show the label. */
  readonly losses: ReadonlySet<boolean>;
}

function knownFrom(breaches: readonly RegisterBreach[], history: History): Known {
  const kinds = breaches.flatMap(({ culprit, suspects }) => {
    const [kind, ...others] = new Set(suspects.map((one) => refusalKind(one, history)));
    return culprit !== null && kind !== undefined && others.length === 0 ? [kind] : [];
  });
  const lost = breaches.filter(
    ({ culprit, suspects, after, late }) => culprit === null && suspects.length === 0 && after.length > 0 && !late,
  );
  return { kinds: new Set(kinds), losses: new Set(lost.map(({ shows }) => shows)) };
}

/** Why a write had to be refused. */
function refusalKind(exchange: Exchange, history: History): string {
  const { authenticates, record, targetKey, lacks } = askedBy(exchange, history);
  if (!authenticates) return targetKey?.revoked ? 'revoked' : exchange.credential;
  return record !== 'ours' ? 'tenant' : lacks.length > 0 ? 'scope' : `${exchange.status}`;
}

/** Whether an unknown text may be another name of a written label, because no reply of the operation shows that label by a known name. */
const mayBeWritten = ({ writes, showings }: Life, label: string): boolean =>
  label.startsWith('=') &&
  showings.some(({ labels, exchange: { operation } }) => {
    const alike = showings.filter(({ exchange }) => exchange.operation === operation);
    return labels.has(label) && writes.some((write) => write.done && !alike.some((one) => one.labels.has(write.label)));
  });

/** Labels with a known id whose state differs from that before the run, according to the last reply about the holder. */
export function lastingChanges(history: History): readonly RegisterBreach[] {
  return registerBreaches(history).filter(({ exchange, tenant, holder, label, shows, culprit, register }) => {
    const last = showingsOf(history, tenant, holder, label).at(-1);
    const spare = tenantsIn(history).some(({ name }) => isSpare(name, label, history));
    // A label that another client applied must stay, and no record carried a spare label before.
    const ours = shows
      ? culprit !== null || isSpare(tenant, label, history) || isAppliedSince(label, register?.since ?? null, history)
      : !spare;
    return last?.exchange === exchange && uuid.test(label) && ours;
  });
}

/** The replies that tell whether a holder carries a label. */
export const showingsOf = (history: History, tenant: string, holder: Holder, label: string): readonly Showing[] =>
  (lives(history).get(lifeName(tenant, holder))?.showings ?? []).filter(
    ({ labels, recognises }) => labels.has(label) || recognises(label),
  );

/** Whether a holder carries a label, by all replies that were asked for after this time; null where they differ, or none tells. */
export function carriedSince(history: History, tenant: string, holder: Holder, id: string, since: number) {
  const label = id.toLowerCase();
  const told = showingsOf(history, tenant, holder, label).filter(({ exchange }) => exchange.sentAt > since);
  return certain(new Set(told.map(({ labels }) => labels.has(label))));
}

/** Whether the run has applied the label to any record since this reply. */
const isAppliedSince = (label: string, since: Exchange | null, { exchanges }: History): boolean =>
  exchanges.some(({ operation, params, doneAt }) => {
    const write = labelWriteOf(operation, params);
    return write?.act === 'apply' && write.label.toLowerCase() === label && doneAt > (since?.sentAt ?? 0);
  });

function breachesOf(life: Life, label: string, history: History, known: Known): RegisterBreach[] {
  const { settleMilliseconds } = deploymentIn(history);
  const { tenant, holder } = life;
  const register = registerOf(life, label, history);
  const breaches: RegisterBreach[] = [];
  let good: Showing | undefined;
  // The cause of the first wrong reply also explains the wrong replies after it.
  let cause: Pick<RegisterBreach, 'culprit' | 'suspects' | 'after'> | undefined;
  const wrong = new Set<Showing>();
  const conclusive = showingsOf(history, tenant, holder, label);
  for (const showing of conclusive) {
    const { exchange } = showing;
    const shows = showing.labels.has(label);
    const write = life.writes.find((one) => one.exchange === exchange);
    // A reply must show the effect of its own write. Other effects may lag behind.
    const values =
      write?.label === label
        ? new Set([write.act === 'apply', ...concurrent(register, write)])
        : valuesBetween(register, exchange.sentAt - settleMilliseconds, exchange.doneAt);
    if (values.has(shows) || values.has(undefined)) {
      good = showing;
      cause = undefined;
      continue;
    }
    const late =
      write?.label !== label &&
      valuesBetween(register, exchange.sentAt - lateReads(history).age, exchange.doneAt).has(shows);
    if (late) cause = { culprit: null, suspects: [], after: lastWrite(life, label, exchange, history) };
    cause ??= explain({ life, label, shows, good, bad: exchange, history, known });
    wrong.add(showing);
    breaches.push({
      exchange,
      tenant,
      holder,
      label,
      shows,
      register: { tenant, holder, label, since: good?.exchange ?? null },
      persists: false,
      late,
      ...cause,
      ...inWords(life, label, shows, cause, exchange, history),
      with: [
        ...(good ? [good.exchange] : []),
        ...(cause.culprit ? [cause.culprit] : []),
        ...cause.after.map((one) => one.exchange),
      ],
    });
  }
  const next = new Map(conclusive.map((showing, i) => [showing.exchange, conclusive[i + 1]]));
  return breaches.map((breach) => {
    const following = next.get(breach.exchange);
    return { ...breach, persists: following !== undefined && wrong.has(following) };
  });
}

/** The values that concurrent writes may have left before this write was answered. */
const concurrent = ({ writes }: Register, { exchange }: Pick<OwnWrite, 'exchange'>): boolean[] =>
  writes
    .filter(
      ({ exchange: other, takes: [begin, end] }) =>
        other !== exchange && end >= exchange.sentAt && begin <= exchange.doneAt,
    )
    .map(({ act }) => act === 'apply');

/** The last lawful write of the label before the exchange. */
const lastWrite = (life: Life, label: string, { n }: Exchange, history: History): OwnWrite[] =>
  ownWrites(history)
    .filter(
      (one) =>
        one.label === label &&
        lifeName(one.tenant, one.holder) === lifeName(life.tenant, life.holder) &&
        one.takes !== null &&
        one.exchange.n < n,
    )
    .slice(-1);

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
function explain({
  life,
  label,
  shows,
  good,
  bad,
  history,
  known,
}: Wrong): Pick<RegisterBreach, 'culprit' | 'suspects' | 'after'> {
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
    if (weight === 0 || weight < best) continue;
    suspects = weight > best ? [exchange] : [...suspects, exchange];
    best = weight;
  }
  // Lawful writes to this holder are the likelier cause, unless a refused write asked for exactly this change, and the label has changed.
  const hasChanged = good === undefined || good.labels.has(label) !== shows;
  const isUnlikely = (best < 3 || !hasChanged) && near.length > 0;
  // The reply to a write says that it was done, and no later reply has shown that it was kept.
  const isUnkept = life.writes.some((one) => one.exchange === good?.exchange && one.label === label);
  if (isUnlikely || (isUnkept && known.losses.has(shows))) return { culprit: null, suspects: [], after: near };
  const surely = suspects.findLast((one) => known.kinds.has(refusalKind(one, history)));
  return { culprit: surely ?? suspects.at(-1) ?? null, suspects: best < 3 ? [] : suspects, after: near };
}

function inWords(
  { tenant, holder, showings }: Life,
  label: string,
  shows: boolean,
  { culprit, after }: Pick<RegisterBreach, 'culprit' | 'after'>,
  { operation, n }: Exchange,
  history: History,
): Pick<Breach, 'expected' | 'observed'> {
  const called = calledIn(history, tenant, label);
  const last = after.at(-1);
  const since = culprit
    ? ` after ${culprit.method} ${pathOf(culprit)} by ${culprit.key ?? 'nobody'} was answered ${culprit.status ?? 'with nothing'}`
    : last && last.exchange.n !== n
      ? ` after ${last.act === 'apply' ? 'applying' : 'removing'} ${last.label === label ? 'it' : 'another label'} was answered ${last.exchange.status ?? 'with nothing'}`
      : '';
  const where = operation === 'getConversationContext' ? 'the context' : `the reply to ${operation}`;
  const on = `${holder.kind === 'link' ? `the link ${holder.clientId} / ${holder.siteId}` : `${holder.kind} ${holder.id}`} of ${tenant}`;
  const times = showings.find(({ exchange }) => exchange.n === n)?.labels.get(label) ?? 0;
  return {
    expected: shows ? `no label ${called} on ${on}` : `label ${called} on ${on}`,
    observed: `${where} ${shows ? `shows label ${called}${times > 1 ? ` ${times} times` : ''}` : `does not show label ${called}`}${since}`,
  };
}

/** The name of a label in quotes, or its id where the name is not known. */
export function calledIn(history: History, tenant: string, label: string): string {
  const [name] = label.startsWith('=')
    ? [label.slice(1)]
    : (catalogueOfTenant(history, tenant).labels.get(label) ?? []);
  return name === undefined ? label : `"${name}"`;
}

const pathOf = ({ url }: Exchange) => (URL.canParse(url) ? new URL(url).pathname : url);
