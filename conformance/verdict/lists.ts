/** The lists of labels: the spare labels are in each, every id is a UUID, and what was there before and after was there in between. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { uuid } from '../../spec/text/uuid.ts';
import { caseOf } from '../contract/case.ts';
import { isSameText, labelsListed } from '../contract/label-list.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { hasMore, nextPageId } from '../history/pages.ts';
import type { Deployment } from '../target/deployment.ts';
import { sparesOf, tenantsOf } from '../target/records.ts';
import type { Evidence } from './law.ts';

const rule = 'labels/listing-gives-public-labels';

export function judgeLists(
  exchanges: readonly Exchange[],
  deployment: Deployment,
  evidenceOf: (rule: RuleId) => Evidence,
): void {
  for (const tenant of tenantsOf(deployment)) {
    const lists: Exchange[] = [];
    const pages: Exchange[] = [];
    for (const exchange of exchanges) {
      const asked = exchange.operation === 'listLabels' ? caseOf(exchange, deployment) : null;
      if (asked?.caller !== 'valid' || !succeeded(exchange) || !exchange.key?.startsWith(`${tenant.name}/`)) continue;
      if (asked.mutation?.id === nextPageId) pages.push(exchange);
      else if (asked.mutation?.means !== 'open') lists.push(exchange);
    }
    judgeOf(tenant, lists, pages, evidenceOf(rule));
  }
}

function judgeOf(
  tenant: TargetTenant,
  lists: readonly Exchange[],
  pages: readonly Exchange[],
  { failures, unclear }: Evidence,
) {
  const spares = sparesOf(tenant);
  const idsOf = (list: Exchange) => labelsListed(list, spares).map(({ id }) => id);
  const listed = (some: readonly Exchange[]) => new Set(some.flatMap(idsOf).map((id) => id.toLowerCase()));
  // Only all pages together are the whole list.
  if (lists.some(hasMore) || listed([...lists, ...pages]).size > listed(lists).size) {
    const all = listed([...lists, ...pages]);
    if (spares.some(({ id }) => !all.has(id.toLowerCase())))
      unclear.push('a spare label is on none of the pages of the list that could be read');
    return;
  }
  const idsIn = new Map(lists.map((list) => [list, idsOf(list)]));
  const fail = (exchange: Exchange, expected: string, observed: string, others: readonly Exchange[] = []) =>
    failures.push({ exchange, expected, observed, with: others });
  for (const [list, ids] of idsIn) {
    const absent = spares.filter(({ id }) => !ids.some((one) => isSameText(one, id)));
    if (absent.length > 0) fail(list, `label ${absent[0]?.id} of ${tenant.name}`, 'a list without it');
    const odd = ids.find((id) => !uuid.test(id));
    if (odd !== undefined && spares.length > 0) fail(list, 'ids that are UUIDs', odd);
  }
  // A colleague may make or delete a label, but does not do so back and forth.
  for (const id of new Set([...idsIn.values()].flat().map((one) => one.toLowerCase()))) {
    const shown = lists.map((list) => idsIn.get(list)?.some((one) => isSameText(one, id)) ?? false);
    const gone = shown.findIndex(
      (one, i) => !one && shown.slice(0, i).includes(true) && shown.slice(i + 1).includes(true),
    );
    const list = lists[gone];
    if (list) fail(list, `label ${id}, which was listed before and after`, 'a list without it');
  }
}
