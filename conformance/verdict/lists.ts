/** The lists of labels: the spare labels are in each, every id is a UUID, and what was there before and after was there in between. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import { uuid } from '../../spec/text/uuid.ts';
import { caseOf } from '../contract/case.ts';
import { type Exchange, isObject, jsonOf, succeeded, valuesOf } from '../history/exchange.ts';
import { hasMore } from '../history/pages.ts';
import type { Deployment } from '../target/deployment.ts';
import { sparesOf, tenantsOf } from '../target/records.ts';
import type { Evidence } from './evidence.ts';

const rule = 'labels/listing-gives-public-labels';

const isSame = (a: unknown, b: string) => typeof a === 'string' && a.toLowerCase() === b.toLowerCase();

export function judgeLists(
  exchanges: readonly Exchange[],
  deployment: Deployment,
  evidenceOf: (rule: RuleId) => Evidence,
): void {
  for (const tenant of tenantsOf(deployment)) {
    const lists = exchanges.filter((exchange) => {
      const asked = caseOf(exchange, deployment);
      const isLawful = asked?.operation === 'listLabels' && asked.caller === 'valid' && !asked.isElsewhere;
      return (
        isLawful &&
        asked.mutation?.means !== 'open' &&
        succeeded(exchange) &&
        exchange.key?.startsWith(`${tenant.name}/`)
      );
    });
    judgeOf(tenant, lists, evidenceOf(rule));
  }
}

function judgeOf(tenant: TargetTenant, lists: readonly Exchange[], { failures, unclear }: Evidence) {
  const spares = sparesOf(tenant);
  const whole = lists.filter((one) => !hasMore(one));
  if (whole.length < lists.length && spares.length > 0) unclear.push('the list of labels has several pages');
  const idsIn = new Map(
    whole.map((list) => [
      list,
      idsOf(
        list,
        spares.map(({ id }) => id),
      ),
    ]),
  );
  const fail = (exchange: Exchange, expected: string, observed: string, others: readonly Exchange[] = []) =>
    failures.push({ exchange, expected, observed, with: others });
  for (const [list, ids] of idsIn) {
    const absent = spares.filter(({ id }) => !ids.some((one) => isSame(one, id)));
    if (absent.length > 0) fail(list, `label ${absent[0]?.id} of ${tenant.name}`, 'a list without it');
    const odd = ids.find((id) => !uuid.test(id));
    if (odd !== undefined && spares.length > 0) fail(list, 'ids that are UUIDs', odd);
  }
  // A colleague may make or delete a label, but does not do so back and forth.
  for (const id of new Set([...idsIn.values()].flat().map((one) => one.toLowerCase()))) {
    const shown = whole.map((list) => idsIn.get(list)?.some((one) => isSame(one, id)) ?? false);
    const gone = shown.findIndex(
      (one, i) => !one && shown.slice(0, i).includes(true) && shown.slice(i + 1).includes(true),
    );
    const list = whole[gone];
    if (list) fail(list, `label ${id}, which was listed before and after`, 'a list without it');
  }
}

/** The ids of the listed labels: the values at the place where a spare label has its id, or else at `id`. */
function idsOf(list: Exchange, spares: readonly string[]): string[] {
  const records = valuesOf(jsonOf(list)).flatMap(([, value]) => (isObject(value) ? [value] : []));
  const [name = 'id'] = records.flatMap((record) =>
    Object.keys(record).filter((one) => spares.some((id) => isSame(record[one], id))),
  );
  const named = records.flatMap((record) => (typeof record[name] === 'string' ? [record[name]] : []));
  const keys = records.flatMap((record) => Object.keys(record).filter((one) => uuid.test(one)));
  return [...named, ...keys];
}
