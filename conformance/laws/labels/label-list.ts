import { type Exchange, refused, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { hasMore } from '../../history/pages.ts';
import { sparesOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import type { Breach, Law } from '../judging/law.ts';
import { listedIn, uuid } from './catalogue.ts';
import { labelSetsIn } from './label-sets.ts';
import { calledIn } from './registers.ts';

export const labelList: Law = {
  id: 'labels/listing-gives-public-labels',
  rule: 'labels/listing-gives-public-labels',
  title: 'the list of labels has the spare labels, under ids that are UUIDs',
  judge(history) {
    const { tenant } = deploymentIn(history);
    const spares = sparesOf(tenant);
    const listed = (exchange: Exchange) => (listedIn(history).get(exchange) ?? []).map(({ id }) => id);
    const lists = history.exchanges.filter((exchange) => {
      const asked = askedBy(exchange, history);
      return (
        exchange.operation === 'listLabels' &&
        (exchange.twist === null || exchange.twist === 'query/next-page') &&
        exchange.status !== null &&
        asked.authenticates &&
        asked.lacks.length === 0 &&
        asked.tenant === tenant &&
        exchange.status !== 429
      );
    });
    const breaches: Breach[] = [];
    const good = lists.filter(succeeded);
    for (const exchange of lists) {
      if ((exchange.twist === null && refused(exchange)) || ((exchange.status ?? 0) >= 500 && good.length === 0))
        breaches.push({ exchange, expected: `labels listed to ${exchange.key}`, observed: `${exchange.status}` });
      if (!succeeded(exchange)) continue;
      const odd = listed(exchange).find((id) => typeof id !== 'string' || !uuid.test(id));
      if (odd !== undefined)
        breaches.push({ exchange, expected: 'ids of labels that are UUIDs', observed: JSON.stringify(odd) });
    }
    if (spares.length === 0) return { applied: 0, breaches };
    const idsOf = (exchanges: readonly Exchange[]) =>
      new Set(exchanges.flatMap((exchange) => listed(exchange).map((id) => String(id).toLowerCase())));
    const lackingIn = (exchanges: readonly Exchange[]) => {
      const ids = idsOf(exchanges);
      return spares.filter(({ id }) => !ids.has(id.toLowerCase()));
    };
    // Only all pages together are the whole list.
    const firsts = good.filter(({ twist }) => twist === null);
    const inPages = good.some(hasMore) || idsOf(good).size > idsOf(firsts).size;
    if (inPages) {
      const unclear =
        lackingIn(good).length > 0
          ? [
              'a spare label is not on the pages of the list that could be read, and the specification does not say how to get the others',
            ]
          : [];
      return { applied: good.length, breaches, unclear };
    }
    for (const exchange of firsts) {
      const [lacking] = lackingIn([exchange]);
      if (lacking !== undefined)
        breaches.push({
          exchange,
          expected: `label ${lacking.name ?? lacking.id} in the list of labels`,
          observed: 'it is not there',
        });
    }
    breaches.push(...gapsIn(firsts, listed, history));
    return { applied: lists.length, breaches };
  },
};

/** Lists without a label that was shown before and is listed later: a label is not deleted and made again under the same id. */
function gapsIn(
  lists: readonly Exchange[],
  listed: (exchange: Exchange) => readonly unknown[],
  history: History,
): Breach[] {
  const { tenant, settleMilliseconds } = deploymentIn(history);
  const idsIn = (list: Exchange) => listed(list).map((id) => String(id).toLowerCase());
  const firstShown = new Map<string, Exchange>();
  const lastListed = new Map<string, Exchange>();
  const see = (label: string, exchange: Exchange) => {
    const known = firstShown.get(label);
    if (known === undefined || exchange.doneAt < known.doneAt) firstShown.set(label, exchange);
  };
  for (const list of lists)
    for (const label of idsIn(list)) {
      see(label, list);
      lastListed.set(label, list);
    }
  for (const { exchange, labels, tenant: owner } of labelSetsIn(history).showings)
    if (owner === tenant.name) for (const label of labels.keys()) see(label, exchange);
  return [...lastListed].flatMap(([label, after]): Breach[] => {
    const before = firstShown.get(label);
    if (before === undefined) return [];
    // A label that was made during the run may be missing from lists that lag.
    const existed = before.doneAt + settleMilliseconds;
    const gap = lists.find((list) => list.sentAt > existed && list.n < after.n && !idsIn(list).includes(label));
    if (gap === undefined) return [];
    return [
      {
        exchange: gap,
        expected: `label ${calledIn(history, tenant.name, label)}, which was shown before and is listed later`,
        observed: 'it is not in this list',
        with: [before, after],
      },
    ];
  });
}
