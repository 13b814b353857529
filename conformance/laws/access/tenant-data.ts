import type { TargetTenant } from '../../../spec/files/target.ts';
import { uuid } from '../../../spec/text/uuid.ts';
import { type Exchange, objectIn, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { hasMore } from '../../history/pages.ts';
import { privatesOf, tenantsOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';
import {
  conversationsOf,
  datedTexts,
  isText,
  membersOf,
  minLength,
  mostlyIn,
  personalIn,
  stringsOf,
} from '../judging/reply-parts.ts';
import { catalogueOfTenant } from '../labels/sets/catalogue.ts';

/** Data of a tenant, from the target file and from replies to the tenant's keys about its own records. */
export interface TenantData {
  /** Ids that belong to this tenant only. */
  readonly ids: ReadonlyMap<string, Exchange | null>;
  /** Ids of labels that are listed to this tenant only. Tenants may share labels, so they count only in replies that are not about the reader's records. */
  readonly labels: ReadonlySet<string>;
  /** Texts, with the records that contain them. */
  readonly texts: ReadonlyMap<string, { readonly records: ReadonlySet<string>; readonly from: Exchange }>;
  /** Texts together with an instant in the same object. Two tenants do not have the same text at the same instant. */
  readonly dated: ReadonlyMap<string, Exchange>;
  /** Subjects of conversations. */
  readonly subjects: ReadonlySet<string>;
  /** Friendly ids of conversations, each with its subject. */
  readonly friendly: ReadonlyMap<string, Exchange>;
  /** Names of labels that are listed to this tenant only, by id. */
  readonly labelNames: ReadonlyMap<string, ReadonlySet<string>>;
  /** Messages, clients and other list items that a record shows in most replies, as JSON. */
  readonly members: ReadonlyMap<string, Exchange>;
  /** List items, requesters and the like that came to a record during the run and stayed. */
  readonly arrived: ReadonlySet<string>;
  /** Associated conversations that any reply shows, as JSON. */
  readonly conversations: ReadonlyMap<string, Exchange>;
  /** Requesters, addresses and the like that a record shows in most replies. */
  readonly personal: ReadonlyMap<string, Exchange>;
  /** Number of records that were read. */
  readonly records: number;
}

/** Whether this is a successful reply about a record of the reader's own tenant. */
export const isOwnRecord = (exchange: Exchange, history: History): boolean => {
  const { authenticates, record } = askedBy(exchange, history);
  return authenticates && succeeded(exchange) && record === 'ours';
};

/** How a conversation is known to people. Two tenants may count theirs alike, but not with the same subjects. */
export const friendlyName = (friendlyId: string, subject: string) => `${friendlyId} "${subject}"`;

const requestKey = ({ operation, params, key }: Exchange) => JSON.stringify([operation, params, key?.split('/')[0]]);

const byRequest = once((history) =>
  Map.groupBy(
    history.exchanges.filter((exchange) => isOwnRecord(exchange, history)),
    requestKey,
  ),
);

/** Successful replies to the same request of the same tenant. */
export const sameRequests = (exchange: Exchange, history: History) =>
  byRequest(history).get(requestKey(exchange)) ?? [];

export const dataIn = once((history): ReadonlyMap<string, TenantData> => {
  const all = tenantsOf(deploymentIn(history));
  return new Map(
    all.map((owner) => {
      const other = all.find((one) => one !== owner);
      return [owner.name, collect(history, owner, other === undefined ? [] : namedIds(other))];
    }),
  );
});

/** What the first replies to a request lack, and all replies show from some reply on. */
function arrivedIn(replies: readonly Exchange[], partsOf: (reply: Exchange) => ReadonlySet<string>): string[] {
  const first = new Map<string, Exchange>();
  for (const reply of replies) for (const part of partsOf(reply)) if (!first.has(part)) first.set(part, reply);
  return [...first].flatMap(([part, { doneAt }]) => {
    const stays = replies.every((reply) => reply.sentAt < doneAt || partsOf(reply).has(part));
    return stays && first.get(part) !== replies[0] ? [part] : [];
  });
}

/** @param notIds ids of the other tenant */
function collect(history: History, owner: TargetTenant, notIds: readonly string[]): TenantData {
  const ids = new Map<string, Exchange | null>(
    namedIds(owner)
      .filter((id) => !notIds.includes(id))
      .map((id) => [id, null]),
  );
  const texts = new Map<string, { records: Set<string>; from: Exchange }>();
  const dated = new Map<string, Exchange>();
  const subjects = new Set<string>();
  const friendly = new Map<string, Exchange>();
  const records = new Set<string>();
  const members = new Map<string, Exchange>();
  const arrived = new Set<string>();
  const conversations = new Map<string, Exchange>();
  const personal = new Map<string, Exchange>();
  for (const replies of byRequest(history).values()) {
    const [first] = replies;
    if (first === undefined || first.method !== 'GET' || askedBy(first, history).tenant !== owner) continue;
    for (const [member, shown] of mostlyIn(replies, membersOf)) members.set(member, shown);
    for (const partsOf of [membersOf, personalIn]) for (const part of arrivedIn(replies, partsOf)) arrived.add(part);
    for (const shown of replies) for (const one of conversationsOf(shown)) conversations.set(one, shown);
    for (const [value, shown] of mostlyIn(replies, personalIn)) personal.set(value, shown);
  }
  for (const exchange of history.exchanges) {
    const { tenant } = askedBy(exchange, history);
    if (tenant !== owner || !isOwnRecord(exchange, history) || exchange.method !== 'GET') continue;
    const record = Object.values(exchange.params).join(' ');
    records.add(record);
    for (const text of stringsOf(exchange)) {
      const lower = text.toLowerCase();
      // Clients and sites belong to one tenant. Agents, brands and labels may be shared, so their ids do not count.
      if (/^ov[ac]id-[0-9a-f-]{36}$/.test(lower) && !notIds.includes(lower) && !ids.has(lower))
        ids.set(lower, exchange);
      if (!isText(text)) continue;
      const entry = texts.get(text) ?? { records: new Set(), from: exchange };
      entry.records.add(record);
      texts.set(text, entry);
    }
    for (const { pair } of datedTexts(exchange)) if (!dated.has(pair)) dated.set(pair, exchange);
    const { subject, friendlyId } = objectIn(exchange);
    if (typeof subject === 'string') subjects.add(subject);
    if (typeof friendlyId === 'string' && typeof subject === 'string')
      friendly.set(friendlyName(friendlyId, subject), exchange);
  }
  const listed = (tenant: string) => catalogueOfTenant(history, tenant).labels;
  const inPages = history.exchanges.some((exchange) => exchange.operation === 'listLabels' && hasMore(exchange));
  const labels = new Set(
    [...(inPages ? [] : listed(owner.name).keys())].filter(
      (id) =>
        uuid.test(id) &&
        tenantsOf(deploymentIn(history)).every((tenant) => tenant.name === owner.name || !listed(tenant.name).has(id)),
    ),
  );
  const labelNames = new Map([...labels].map((id) => [id, listed(owner.name).get(id) ?? new Set<string>()]));
  return {
    ids,
    labels,
    labelNames,
    texts,
    dated,
    subjects,
    friendly,
    members,
    arrived,
    conversations,
    personal,
    records: records.size,
  };
}

export const recordIds = ({ conversations, sites, clientSite, otherClientSite }: TargetTenant): string[] =>
  [
    conversations?.open,
    conversations?.closed,
    sites?.current,
    sites?.legacy,
    clientSite?.client,
    clientSite?.site,
    otherClientSite?.client,
    otherClientSite?.site,
  ].filter((id) => id !== undefined);

/** Long ids in the target file, in lower case, without public labels, because tenants may share a catalogue of labels. */
const namedIds = (tenant: TargetTenant): string[] => {
  const all = [...recordIds(tenant), ...privatesOf(tenant).map(({ id }) => id)];
  return [...new Set(all.flatMap((id) => (id.length >= minLength ? [id.toLowerCase()] : [])))];
};
