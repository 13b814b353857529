import type { TargetTenant } from '../../../spec/files/target.ts';
import { uuid } from '../../../spec/text/uuid.ts';
import { type Exchange, refused, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { hasMore } from '../../history/pages.ts';
import { labelWriteOf } from '../../target/holder.ts';
import { privatesOf, sparesOf, tenantsOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { type Breach, lawOf } from '../judging/law.ts';
import { calledIn, listedIn } from './sets/catalogue.ts';
import { labelSetsIn } from './sets/label-sets.ts';

/** Whether the list was asked for as always, or in another spelling of the same request. */
const isPlain = ({ twist }: Exchange) => twist === null || twist.startsWith('legal/');

export const labelList = lawOf(
  'labels/listing-gives-public-labels',
  'the list of labels has the spare labels and those that records carry, under ids that are UUIDs',
  (history) => {
    const deployment = deploymentIn(history);
    const { tenant } = deployment;
    const owners = tenantsOf(deployment).filter((owner) => sparesOf(owner).length > 0);
    const lists = history.exchanges.filter((exchange) => isLawfulList(exchange, history));
    const good = lists.filter(succeeded);
    const breaches: Breach[] = [];
    for (const exchange of lists) {
      if ((exchange.twist === null && refused(exchange)) || ((exchange.status ?? 0) >= 500 && good.length === 0))
        breaches.push({ exchange, expected: `labels listed to ${exchange.key}`, observed: `${exchange.status}` });
      if (!succeeded(exchange)) continue;
      const odd = idsIn(exchange, history).find((id) => typeof id !== 'string' || !uuid.test(id));
      if (odd !== undefined)
        breaches.push({ exchange, expected: 'ids of labels that are UUIDs', observed: JSON.stringify(odd) });
    }
    if (!owners.includes(tenant)) return { applied: 0, breaches };
    const labelsOf = (exchanges: readonly Exchange[]) =>
      new Set(exchanges.flatMap((exchange) => idsIn(exchange, history).map((id) => String(id).toLowerCase())));
    const lackingIn = (owner: TargetTenant, exchanges: readonly Exchange[]) => {
      const labels = labelsOf(exchanges);
      return sparesOf(owner).filter(({ id }) => !labels.has(id.toLowerCase()));
    };
    const firsts = good.filter(isPlain);
    // Only all pages together are the whole list.
    if (good.some(hasMore) || labelsOf(good).size > labelsOf(firsts).size) {
      const unclear =
        lackingIn(tenant, good).length > 0
          ? [
              'a spare label is not on the pages of the list that could be read, and the specification does not say how to get the others',
            ]
          : [];
      return { applied: good.length, breaches, unclear };
    }
    for (const owner of owners) {
      const ownLists = firsts.filter((exchange) => askedBy(exchange, history).tenant === owner);
      for (const exchange of ownLists) {
        const [lacking] = lackingIn(owner, [exchange]);
        if (lacking === undefined) continue;
        const expected = `label ${lacking.name ?? lacking.id} in the list of labels`;
        breaches.push({ exchange, expected, observed: 'it is not there' });
      }
      breaches.push(...gapsIn(ownLists, owner, history));
    }
    return { applied: lists.length, breaches };
  },
);

const idsIn = (list: Exchange, history: History) => (listedIn(history).get(list) ?? []).map(({ id }) => id);

/** Whether the request asks for labels, or for another page of them, with a key that has the scopes. */
function isLawfulList(exchange: Exchange, history: History): boolean {
  const { authenticates, lacks, tenant } = askedBy(exchange, history);
  return (
    exchange.operation === 'listLabels' &&
    (isPlain(exchange) || exchange.twist === 'query/next-page') &&
    exchange.status !== null &&
    exchange.status !== 429 &&
    authenticates &&
    lacks.length === 0 &&
    tenant !== undefined
  );
}

/**
 * Lists that lack a label which other replies show before and after. A label is not deleted and made again under the same id, and a label
 * that a reply may show is public.
 */
function gapsIn(lists: readonly Exchange[], owner: TargetTenant, history: History): Breach[] {
  const { settleMilliseconds } = deploymentIn(history);
  const listed = new Map(
    lists.map((list) => [list, new Set(idsIn(list, history).map((id) => String(id).toLowerCase()))]),
  );
  const hidden = new Set(privatesOf(owner).map(({ id }) => id.toLowerCase()));
  // A wrong deployment may show a label of another tenant, or one that only this run has applied.
  for (const [list, records] of listedIn(history))
    if (askedBy(list, history).tenant !== owner) for (const { id } of records) hidden.add(String(id).toLowerCase());
  const shown = [
    ...[...listed].map(([exchange, labels]) => ({ exchange, labels: [...labels] })),
    ...labelSetsIn(history)
      .showings.filter(({ tenant }) => tenant === owner.name)
      .map(({ exchange, labels }) => ({ exchange, labels: [...labels.keys()].filter((label) => !hidden.has(label)) })),
  ].sort((a, b) => a.exchange.n - b.exchange.n);
  const applied = new Map<string, number>();
  for (const { operation, params, n } of history.exchanges.toReversed()) {
    const write = labelWriteOf(operation, params);
    if (write?.act === 'apply') applied.set(write.label.toLowerCase(), n);
  }
  const lives = new Map<string, { readonly first: Exchange; last: Exchange }>();
  for (const { exchange, labels } of shown)
    for (const label of labels) {
      const life = lives.get(label);
      if (life !== undefined) life.last = exchange;
      else if (exchange.n < (applied.get(label) ?? Number.POSITIVE_INFINITY))
        lives.set(label, { first: exchange, last: exchange });
    }
  return [...lives].flatMap(([label, { first, last }]): Breach[] => {
    // A label that was made during the run may be missing from lists that lag.
    const existed = first.doneAt + settleMilliseconds;
    // In a tree of labels, the list may contain a label at another place than the spare label.
    const lacks = (list: Exchange) => !listed.get(list)?.has(label) && !list.body?.toLowerCase().includes(label);
    const gap = lists.find((list) => list.sentAt > existed && list.n < last.n && lacks(list));
    if (gap === undefined || !uuid.test(label)) return [];
    const expected = `label ${calledIn(history, owner.name, label)}, which was shown before and is shown later`;
    return [{ exchange: gap, expected, observed: 'it is not in this list', with: [first, last] }];
  });
}
