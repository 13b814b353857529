/** The lists of labels: the spare labels are in each, every id is a UUID, and what was there before and after was there in between. */
import { uuid } from '../../spec/text/uuid.ts';
import { isSameText, labelsListed } from '../contract/shown.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { hasMore, nextPageId } from '../history/pages.ts';
import { type NamedLabel, sparesOf, tenantsOf } from '../target/records.ts';
import type { Evidence } from './law.ts';
import type { Judge } from './traffic.ts';

export const judgeLists: Judge = ({ exchanges, deployment, cases }, evidenceOf) => {
  for (const tenant of tenantsOf(deployment)) {
    const own = exchanges.filter((one) => {
      const isOurs = one.operation === 'listLabels' && one.key?.startsWith(`${tenant.name}/`);
      return isOurs && succeeded(one) && cases.get(one)?.caller === 'valid';
    });
    const isPage = ({ facts }: Exchange) => facts?.mutation?.id === nextPageId;
    const lists = own.filter((one) => !isPage(one) && one.facts?.mutation?.means !== 'open');
    judgeOf(sparesOf(tenant), lists, own.filter(isPage), evidenceOf('labels/listing-gives-public-labels'));
  }
};

function judgeOf(
  spares: readonly NamedLabel[],
  lists: readonly Exchange[],
  pages: readonly Exchange[],
  evidence: Evidence,
) {
  const idsOf = (list: Exchange) => labelsListed(list, spares).map(({ id }) => id);
  const listed = (some: readonly Exchange[]) => new Set(some.flatMap(idsOf).map((id) => id.toLowerCase()));
  const all = listed([...lists, ...pages]);
  // Only all pages together are the whole list.
  if (lists.some(hasMore) || all.size > listed(lists).size) {
    if (spares.some(({ id }) => !all.has(id.toLowerCase())))
      evidence.unclear.push('a spare label is on none of the pages of the list that could be read');
    return;
  }
  const read = lists.map((list) => ({ list, ids: idsOf(list) }));
  for (const { list, ids } of read) {
    const absent = spares.find(({ id }) => !ids.some((one) => isSameText(one, id)));
    if (absent) evidence.broken(list, `label ${absent.id}`, 'a list without it');
    const odd = ids.find((id) => !uuid.test(id));
    if (odd !== undefined && spares.length > 0) evidence.broken(list, 'ids that are UUIDs', odd);
  }
  // A colleague may make or delete a label, but does not do so back and forth.
  for (const id of new Set(read.flatMap(({ ids }) => ids.map((one) => one.toLowerCase())))) {
    const shown = read.map(({ ids }) => ids.some((one) => isSameText(one, id)));
    const gone = shown.findIndex((one, i) => !one && shown.indexOf(true) < i && shown.lastIndexOf(true) > i);
    const list = lists[gone];
    if (list) evidence.broken(list, `label ${id}, which was listed before and after`, 'a list without it');
  }
}
