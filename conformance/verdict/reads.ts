/** What no single reply of a read shows: data of somebody else, and a label that one list lacks. */
import type { TargetTenant } from '../../spec/files/target.ts';
import { uuid } from '../../spec/text/uuid.ts';
import { leaksIn } from '../contract/leaks.ts';
import { labelsListed } from '../contract/shown.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { hasMore, nextPageId } from '../history/pages.ts';
import { rollOut } from '../numbers.ts';
import { sparesOf, tenantsOf } from '../target/records.ts';
import type { Evidence } from './law.ts';
import type { Judge } from './traffic.ts';

/** Data of the other tenant. */
export const judgeLeaks: Judge = ({ exchanges, deployment }, evidenceOf) => {
  const reads = evidenceOf('isolation/reads-stay-in-tenant');
  const leaks = [...leaksIn(exchanges, deployment)];
  for (const { exchange, what, from } of leaks.filter(({ isOpen }) => !isOpen))
    reads.broken(exchange, "no other tenant's data", what, from ? [from] : []);
  const open = leaks.find(({ isOpen }) => isOpen);
  if (open)
    reads.unclear.push(
      `${open.what}, which all reads of our own record show as well: choose records with texts of their own`,
    );
};

/** The spare labels are in each list, and what records have in one of them, every id is a UUID, and what was there before and after was there in between. */
export const judgeLists: Judge = (traffic, evidenceOf) => {
  for (const tenant of tenantsOf(traffic.deployment)) {
    const own = traffic.exchanges.filter((one) => {
      const isOurs = one.operation === 'listLabels' && one.key?.startsWith(`${tenant.name}/`);
      return isOurs && succeeded(one) && traffic.cases.get(one)?.caller === 'valid';
    });
    judgeOf(tenant, own, evidenceOf('labels/listing-gives-public-labels'));
  }
};

function judgeOf(tenant: TargetTenant, own: readonly Exchange[], evidence: Evidence) {
  const spares = sparesOf(tenant);
  const pages = own.filter(({ facts }) => facts?.mutation?.id === nextPageId);
  const lists = own.filter((one) => one.facts?.mutation?.means !== 'open');
  const idsOf = (list: Exchange) => labelsListed(list, spares);
  const listed = (some: readonly Exchange[]) => new Set(some.flatMap(idsOf).map((id) => id.toLowerCase()));
  const all = listed([...lists, ...pages]);
  const isPaged = lists.some(hasMore) || all.size > listed(lists).size;
  // Only all pages together are the whole list.
  if (isPaged) {
    if (spares.some(({ id }) => !all.has(id.toLowerCase())))
      evidence.unclear.push('a spare label is on none of the pages of the list that could be read');
    return;
  }
  const ids = new Map(lists.map((list) => [list, listed([list])]));
  for (const list of lists) {
    const absent = spares.map(({ id }) => id.toLowerCase()).find((id) => !ids.get(list)?.has(id));
    const having = lists.filter((one) => absent !== undefined && ids.get(one)?.has(absent));
    const isNew = having.every(({ sentAt }) => sentAt > list.sentAt);
    if (absent !== undefined && isNew) evidence.broken(list, `label ${absent}`, 'a list without it');
    // What comes back is judged below.
    if (!isNew && having.every(({ sentAt }) => sentAt < list.sentAt))
      evidence.unclear.push(`label ${absent} is not listed any more, as if somebody had deleted it: give another`);
    const odd = idsOf(list).find((id) => !uuid.test(id));
    if (odd !== undefined && spares.length > 0) evidence.broken(list, 'ids that are UUIDs', odd);
  }
  // A colleague may archive a label and restore it, but not again and again within seconds. Replies may overtake each other, and copies of the list lag.
  for (const id of all) {
    const [having = [], lacking = []] = [true, false].map((is) => lists.filter((one) => ids.get(one)?.has(id) === is));
    const between = lacking.filter(({ sentAt, doneAt }) => {
      const before = Math.max(...having.flatMap((one) => (one.doneAt < sentAt ? [one.doneAt] : [])));
      return having.some((one) => one.sentAt > doneAt && one.sentAt <= before + rollOut);
    });
    const [list, last] = [between[0], between.at(-1)];
    if (list && last && last.sentAt > list.sentAt + rollOut)
      evidence.broken(list, `label ${id}, which was listed before and after`, 'a list without it');
  }
}
