import { uuid } from '../../../../spec/text/uuid.ts';
import type { Exchange } from '../../../history/exchange.ts';
import type { History } from '../../../history/history.ts';
import { type Holder, labelWriteOf } from '../../../target/holder.ts';
import { privatesOf, tenantsOf } from '../../../target/records.ts';
import { deploymentIn } from '../../judging/asked.ts';
import { type Breach, once } from '../../judging/law.ts';
import { calledIn } from '../sets/catalogue.ts';
import type { Showing } from '../sets/label-sets.ts';
import { staleReplies } from '../sets/stale-replies.ts';
import { type Cause, causeOf, type Known, knownFrom, lastWrite } from './cause.ts';
import { type Life, lives, showingsOf } from './lives.ts';
import { concurrent, isSpare, registerOf, valuesBetween } from './register.ts';

/** A reply shows a state of a label that the lawful writes of the run cannot have caused. */
export interface RegisterBreach extends Breach, Cause {
  readonly tenant: string;
  readonly holder: Holder;
  /** Id of the label with the wrong state. */
  readonly label: string;
  /** Whether the reply shows the label. */
  readonly shows: boolean;
  /** Whether the next reply shows the wrong state as well. */
  readonly persists: boolean;
  /** Whether the state is an earlier one, which the run wrote or found, and this deployment surely shows earlier states. */
  readonly stale: boolean;
}

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
  const first = breachesWith({ kinds: new Set(), spread: new Set(), losses: new Set() });
  const known = knownFrom(first, history);
  return known.kinds.size + known.spread.size + known.losses.size > 0 && first.some(({ culprit }) => culprit !== null)
    ? breachesWith(known)
    : first;
});

/** Whether an unknown text may be another name of a written label, because no reply of the operation shows that label by a known name. */
const mayBeWritten = ({ writes, showings }: Life, label: string): boolean =>
  label.startsWith('=') &&
  showings.some(({ labels, exchange: { operation } }) => {
    const alike = showings.filter(({ exchange }) => exchange.operation === operation);
    return labels.has(label) && writes.some((write) => write.done && !alike.some((one) => one.labels.has(write.label)));
  });

function breachesOf(life: Life, label: string, history: History, known: Known): RegisterBreach[] {
  const { settleMilliseconds } = deploymentIn(history);
  const { kind } = staleReplies(history);
  const { tenant, holder } = life;
  const register = registerOf(life, label, history);
  const breaches: RegisterBreach[] = [];
  let good: Showing | undefined;
  // The cause of the first wrong reply also explains the wrong replies after it.
  let cause: Cause | undefined;
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
    const stale =
      kind !== 'none' &&
      (kind === 'all' ? write?.label !== label : write === undefined) &&
      valuesBetween(register, Number.NEGATIVE_INFINITY, exchange.doneAt).has(shows);
    if (stale)
      cause = { culprit: null, suspects: [], elsewhere: null, after: lastWrite(life, label, exchange, history) };
    cause ??= causeOf({ life, label, shows, good, bad: exchange, history, known });
    wrong.add(showing);
    breaches.push({
      exchange,
      tenant,
      holder,
      label,
      shows,
      register: { tenant, holder, label, since: good?.exchange ?? null },
      persists: false,
      stale,
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

function inWords(
  { tenant, holder, showings }: Life,
  label: string,
  shows: boolean,
  { culprit, after }: Pick<Cause, 'culprit' | 'after'>,
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

const pathOf = ({ url }: Exchange) => (URL.canParse(url) ? new URL(url).pathname : url);

/** Labels with a known id whose state differs from that before the run, according to the last reply about the holder. */
export function lastingChanges(history: History): readonly RegisterBreach[] {
  return registerBreaches(history).filter(({ exchange, tenant, holder, label, shows, culprit, register }) => {
    const last = showingsOf(history, tenant, holder, label).at(-1);
    const spare = tenantsIn(history).some(({ name }) => isSpare(name, label, history));
    // A label that another client applied must stay, and nobody but a run writes a spare label of either tenant.
    const ours = shows ? culprit !== null || spare || isAppliedSince(label, register?.since ?? null, history) : !spare;
    return last?.exchange === exchange && uuid.test(label) && ours;
  });
}

/** Whether the run has applied the label to any record since this reply. */
const isAppliedSince = (label: string, since: Exchange | null, { exchanges }: History): boolean =>
  exchanges.some(({ operation, params, doneAt }) => {
    const write = labelWriteOf(operation, params);
    return write?.act === 'apply' && write.label.toLowerCase() === label && doneAt > (since?.sentAt ?? 0);
  });

const tenantsIn = (history: History) => tenantsOf(deploymentIn(history));
