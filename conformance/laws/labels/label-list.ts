import { type Exchange, refused, succeeded } from '../../history/exchange.ts';
import { hasMore } from '../../history/pages.ts';
import { sparesOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import type { Breach, Law } from '../judging/law.ts';
import { listedIn, uuid } from './catalogue.ts';

/** The list of labels shows the public ones. */
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
    // A list in pages is whole when all of its pages are together.
    const firsts = good.filter(({ twist }) => twist === null);
    const inPages = good.some(hasMore) || idsOf(good).size > idsOf(firsts).size;
    if (inPages) {
      const unclear =
        lackingIn(good).length > 0
          ? ['a spare label is not in the first part of a list that has more, and how to get the rest is not shown']
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
    return { applied: lists.length, breaches };
  },
};
