import { operations } from '../../../spec/operations.ts';
import { type Exchange, jsonOf, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { hasMore } from '../../history/pages.ts';
import { perObject } from '../../per-object.ts';
import { sparesOf } from '../../target/records.ts';
import { askedBy } from '../judging/asked.ts';
import { type Breach, type Law, lawOf, once } from '../judging/law.ts';
import { answered } from '../judging/served.ts';
import { wordsOf } from '../judging/words-of.ts';
import { labelEffects } from '../labels/label-effects.ts';
import { conversationsOfBoth, sightings } from './canaries.ts';
import { sitesOfOthers } from './shown-sites.ts';

/** Answered requests with a valid key about a record of the other tenant. */
const crossings = (history: History) =>
  history.exchanges.filter((exchange) => {
    const { authenticates, record } = askedBy(exchange, history);
    return answered(exchange) && authenticates && record === 'theirs';
  });

const isRead = ({ operation }: Exchange) =>
  operation !== null && operation !== 'storage' && operations[operation].method === 'GET';

const tenantOf = (exchange: Exchange, history: History) => askedBy(exchange, history).tenant?.name;

/** Whether the deployment gives the same reply for a record that does not exist, so that a success reveals nothing. */
function isLikeUnknown(exchange: Exchange, history: History): boolean {
  const withoutIds = ({ body, params }: Exchange) =>
    Object.values(params).reduce((text, id) => text.replaceAll(id, '*'), body ?? '');
  return history.exchanges.some(
    (one) =>
      one.operation === exchange.operation &&
      succeeded(one) &&
      askedBy(one, history).record === 'unknown' &&
      withoutIds(one) === withoutIds(exchange),
  );
}

const servedTheirs = (exchange: Exchange, history: History): Breach => ({
  exchange,
  expected: `a refusal of "${wordsOf(exchange)}": the record is ${askedBy(exchange, history).other?.name}'s`,
  observed: `${exchange.status}`,
});

const reads = lawOf(
  'isolation/reads-stay-in-tenant',
  "a key reads nothing of another tenant, and no reply holds another tenant's ids or texts",
  (history) => {
    const crossed = crossings(history).filter(isRead);
    // A 304 tells as much as a success: the record exists and has not changed.
    const served = crossed.filter(
      (exchange) => exchange.status === 304 || (succeeded(exchange) && !isLikeUnknown(exchange, history)),
    );
    const leaks = sightings(history).map(
      ({ exchange, owner, what, from }): Breach => ({
        exchange,
        expected: `no data of ${owner} in the reply to "${wordsOf(exchange)}"`,
        observed: what,
        ...(from && { with: [from] }),
      }),
    );
    return {
      applied: history.exchanges.filter((exchange) => answered(exchange) && isRead(exchange)).length,
      breaches: [
        ...served.map((exchange) => servedTheirs(exchange, history)),
        ...sitesOfOthers(history),
        ...leaks,
        ...sharedRecords(history),
        ...listedToTheWrongTenant(history),
      ],
      unclear: conversationsOfBoth(history).map(
        (name) =>
          `contexts of both tenants show conversation ${name}: equal test data of both, or one tenant's conversation`,
      ),
    };
  },
);

/** If both tenants have a record with the same id, both records must not be the same. */
function sharedRecords(history: History): Breach[] {
  const ownReads = history.exchanges.filter((exchange) => {
    const { authenticates, record } = askedBy(exchange, history);
    return authenticates && record === 'ours' && succeeded(exchange) && isRead(exchange);
  });
  const byRequest = Map.groupBy(ownReads, ({ operation, params }) => JSON.stringify([operation, params]));
  return [...byRequest.values()].flatMap((group) => {
    const firstByBody = new Map<string, Exchange>();
    return group.flatMap((exchange): Breach[] => {
      const body = exchange.body ?? '';
      const first = firstByBody.get(body) ?? exchange;
      firstByBody.set(body, first);
      const tenant = tenantOf(exchange, history);
      // The same request showed this tenant another record as well, so one detail is enough.
      const details = detailsIn(exchange);
      const alsoOther = group.some((one) => tenantOf(one, history) === tenant && isOther(one, exchange));
      if (tenantOf(first, history) === tenant || details.size < (alsoOther ? 1 : 3)) return [];
      const expected = `a record of its own in the reply to "${wordsOf(exchange)}"`;
      return [{ exchange, expected, observed: `the same as to ${first.key}`, with: [first] }];
    });
  });
}

/** The texts of a reply by which two records differ. Three are not the same by chance. */
const detailsIn = perObject((exchange: Exchange): ReadonlySet<string> => {
  const ids = Object.values(exchange.params);
  const texts = [...valuesOf(jsonOf(exchange))].flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  return new Set(texts.filter((text) => text.length >= 8 && !ids.includes(text)));
});

/** Whether two replies show records that have nothing in common: labels and times of one record change. */
const isOther = (one: Exchange, other: Exchange) =>
  detailsIn(one).size > 0 && ![...detailsIn(one)].some((text) => detailsIn(other).has(text));

/** The lists of labels that a tenant got. */
interface Lists {
  readonly replies: readonly Exchange[];
  /** Their bodies in lower case, equal ones once. */
  readonly texts: readonly string[];
  /** Whether any says that there are more pages. */
  readonly inPages: boolean;
}

/** Replies to lists of labels, by tenant. */
const lists = once((history): ReadonlyMap<string | undefined, Lists> => {
  const all = history.exchanges.filter(
    (exchange) =>
      exchange.operation === 'listLabels' && succeeded(exchange) && askedBy(exchange, history).authenticates,
  );
  return new Map(
    [...Map.groupBy(all, (exchange) => tenantOf(exchange, history))].map(([tenant, replies]) => {
      const texts = [...new Set(replies.map(({ body }) => body ?? ''))].map((text) => text.toLowerCase());
      return [tenant, { replies, texts, inPages: replies.some(hasMore) }];
    }),
  );
});

const shows = (text: string, label: string) => text.includes(label.toLowerCase());

/** Replies to the application of labels to the tenant's own records, by tenant and label. */
const applies = once((history) => {
  const byName = new Map<string, { label: string; tenant: string; served: Exchange[]; refused: Exchange[] }>();
  for (const exchange of history.exchanges) {
    const { authenticates, write, record, lacks, tenant } = askedBy(exchange, history);
    if (write?.act !== 'apply' || !authenticates || record !== 'ours' || lacks.length > 0 || tenant === undefined)
      continue;
    if (!answered(exchange) || exchange.twist !== null) continue;
    const label = write.label.toLowerCase();
    const name = `${tenant.name} ${label}`;
    const entry = byName.get(name) ?? { label, tenant: tenant.name, served: [], refused: [] };
    (succeeded(exchange) ? entry.served : entry.refused).push(exchange);
    byName.set(name, entry);
  }
  return [...byName.values()];
});

/** A label that one tenant can apply and another cannot belongs to the first, and must not be in the list of the second. */
const listedToTheWrongTenant = (history: History): Breach[] =>
  applies(history).flatMap(({ label, tenant, served, refused }) => {
    const [refusal] = refused;
    const theirs = applies(history).find(
      (one) => one.label === label && one.tenant !== tenant && one.served.length > 0,
    );
    const [success] = theirs?.served ?? [];
    if (served.length > 0 || refusal === undefined || theirs === undefined || success === undefined) return [];
    return (lists(history).get(tenant)?.replies ?? [])
      .filter(({ body }) => shows((body ?? '').toLowerCase(), label))
      .map((list) => ({
        exchange: list,
        expected: `no label of ${theirs.tenant} in the list for ${tenant}`,
        observed: `label ${label}, which ${theirs.tenant} can apply and ${tenant} cannot`,
        with: [success, refusal],
      }));
  });

/** Whether the written label belongs to the other tenant: only the other tenant's list contains it, and the writer's list has no further pages. */
function isTheirLabel(exchange: Exchange, history: History): boolean {
  const { write, label, other, tenant } = askedBy(exchange, history);
  if (write === null || other === undefined || tenant === undefined || label === 'spare') return false;
  if (label === 'their-private') return true;
  const own = lists(history).get(tenant.name);
  const isShown = ({ texts }: Lists) => texts.some((text) => shows(text, write.label));
  if (own === undefined || own.inPages || isShown(own)) return false;
  const named = sparesOf(other).some(({ id }) => id.toLowerCase() === write.label.toLowerCase());
  const theirs = lists(history).get(other.name);
  return named || (theirs !== undefined && isShown(theirs));
}

const writes = lawOf('isolation/writes-stay-in-tenant', 'a key writes nothing of another tenant', (history) => {
  const crossed = crossings(history).filter((exchange) => !isRead(exchange));
  const labels = history.exchanges.filter((exchange) => {
    const { authenticates, write, record } = askedBy(exchange, history);
    const puts = write?.act === 'apply' && authenticates && record === 'ours';
    return puts && answered(exchange) && isTheirLabel(exchange, history);
  });
  const isForeign = (culprit: Exchange, breach: { readonly tenant: string }) => {
    const { authenticates, tenant, record } = askedBy(culprit, history);
    return authenticates && (tenant?.name !== breach.tenant || record === 'theirs');
  };
  const effects = labelEffects(history, isForeign);
  return {
    applied: crossed.length + labels.length,
    unclear: effects.unclear,
    breaches: [
      ...crossed.filter(succeeded).map((exchange) => servedTheirs(exchange, history)),
      ...labels.filter(succeeded).map((exchange) => ({
        exchange,
        expected: `a refusal of "${wordsOf(exchange)}": the label is ${askedBy(exchange, history).other?.name}'s`,
        observed: `${exchange.status}`,
      })),
      ...effects.breaches,
    ],
  };
});

/** Laws about the isolation of tenants. */
export const isolation: readonly Law[] = [reads, writes];
