import type { TargetTenant } from '../../../spec/files/target.ts';
import { uuid } from '../../../spec/text/uuid.ts';
import { type Exchange, isObject, jsonOf, objectIn, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { hasMore } from '../../history/pages.ts';
import { perObject } from '../../per-object.ts';
import { privatesOf, tenantsOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';
import { catalogueOfTenant } from '../labels/catalogue.ts';
import { labelSetsIn } from '../labels/label-sets.ts';

/** Data of a tenant in a reply to another tenant, or to nobody. */
interface Sighting {
  readonly exchange: Exchange;
  /** The tenant whose data it is. */
  readonly owner: string;
  /** The data, in a few words. */
  readonly what: string;
  /** A reply to the owner with the same data; null for ids from the target file. */
  readonly from: Exchange | null;
}

/** Data of a tenant, from the target file and from replies to the tenant's keys about its own records. */
interface TenantData {
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
  /** Messages, clients and other list items that a record shows in most replies, as JSON. */
  readonly members: ReadonlyMap<string, Exchange>;
  /** Associated conversations that any reply shows, as JSON. */
  readonly conversations: ReadonlyMap<string, Exchange>;
  /** Requesters, addresses and the like that a record shows in most replies. */
  readonly personal: ReadonlyMap<string, Exchange>;
  /** Number of records that were read. */
  readonly records: number;
}

/** Characters. Shorter values may be equal by chance: bare ids are numbers, and many tenants have a client Smith. */
const minLength = 16;

/** Every appearance of a tenant's data in a reply that must not contain it. */
export const sightings = once((history): readonly Sighting[] => {
  const { tenant, stranger } = deploymentIn(history);
  if (stranger === undefined) return [];
  return [
    [tenant, stranger],
    [stranger, tenant],
  ].flatMap(([owner, reader]) =>
    owner === undefined || reader === undefined ? [] : [...sightingsOf(history, owner, reader)],
  );
});

function* sightingsOf(history: History, owner: TargetTenant, reader: TargetTenant): Generator<Sighting> {
  const theirs = dataIn(history).get(owner.name);
  const own = dataIn(history).get(reader.name);
  if (theirs === undefined || own === undefined) return;
  for (const exchange of repliesNotTo(history, owner)) {
    const sighting =
      idIn(exchange, theirs, own, history) ??
      textIn(exchange, theirs, own, history) ??
      datedIn(exchange, theirs, own, history) ??
      memberIn(exchange, theirs, own, history);
    if (sighting !== null) yield { exchange, owner: owner.name, ...sighting };
  }
}

/** Replies to requests without a key of this tenant. A reply to its own key is no leak, however the key was sent. */
const repliesNotTo = (history: History, { name }: TargetTenant) =>
  history.exchanges.filter((exchange) => {
    const { tenant } = askedBy(exchange, history);
    return exchange.body !== null && exchange.operation !== 'storage' && tenant?.name !== name;
  });

type Found = Pick<Sighting, 'what' | 'from'> | null;

/** Finds an id of the owner anywhere in the reply. */
function idIn(exchange: Exchange, { ids, labels }: TenantData, own: TenantData, history: History): Found {
  const text = replyTextOf(exchange);
  for (const [id, from] of ids)
    if (text.includes(id) && !own.ids.has(id) && !wasSent(exchange, id)) return { what: `its id ${id}`, from };
  if (exchange.operation === 'listLabels') return null;
  const { record, other: owner } = askedBy(exchange, history);
  // Where both tenants have a record with this id, the set of one may be shown for that of the other.
  const isShared = owner !== undefined && recordIds(owner).some((one) => Object.values(exchange.params).includes(one));
  const set = isShared ? labelSetsIn(history).of.get(exchange)?.labels : undefined;
  const shows = (id: string) => (record === 'ours' ? (set?.has(id) ?? false) : text.includes(id));
  for (const id of labels) if (shows(id) && !wasSent(exchange, id)) return { what: `its label ${id}`, from: null };
  return null;
}

/**
 * Finds a text of the owner. Two tenants may use the same words, so a reply about the reader's own record counts only for long texts that
 * are in a single record of the owner, or that some replies to the same request lack.
 */
function textIn(exchange: Exchange, theirs: TenantData, own: TenantData, history: History): Found {
  const ownRecord = isOwnRecord(exchange, history);
  const { meantBy } = catalogueOfTenant(history, askedBy(exchange, history).tenant?.name ?? '');
  for (const text of ownerTextsIn(exchange, theirs)) {
    const entry = theirs.texts.get(text);
    // Both tenants may have a label of the same name.
    if (entry === undefined || wasSent(exchange, text.toLowerCase()) || meantBy(text) !== undefined) continue;
    const { records, from } = entry;
    const sighting = { what: `its text "${text.slice(0, 80)}"`, from };
    if (!ownRecord) {
      // Texts that the reader's own records contain as well are public, such as a greeting.
      if (!own.texts.has(text)) return sighting;
      continue;
    }
    if (records.size > 1 || theirs.records < 2) continue;
    const always = sameRequests(exchange, history).every((one) => ownerTextsIn(one, theirs).has(text));
    if (!always && words(text) >= 4 && text.length >= 20) return sighting;
    if (always && words(text) >= 5 && text.length >= 40 && !areTwins(exchange, theirs)) return sighting;
  }
  return null;
}

/** Texts are indexed by this many first characters. */
const head = 12;

/** Finds the texts of an owner inside a text. */
const finderOf = perObject((data: TenantData): ((text: string) => readonly string[]) => {
  const byHead = Map.groupBy(data.texts.keys(), (text) => text.slice(0, head));
  const cache = new Map<string, readonly string[]>();
  const search = (text: string) => {
    const matches: string[] = [];
    for (let i = 0; i + head <= text.length; i++)
      for (const one of byHead.get(text.slice(i, i + head)) ?? []) if (text.startsWith(one, i)) matches.push(one);
    return matches;
  };
  return (text) => {
    const matches = cache.get(text) ?? search(text);
    cache.set(text, matches);
    return matches;
  };
});

/** The texts of an owner in replies. */
const ownerTexts = perObject((_: TenantData) => new WeakMap<object, ReadonlySet<string>>());

/** The texts of the owner that a reply contains. */
function ownerTextsIn(exchange: Exchange, data: TenantData): ReadonlySet<string> {
  const find = finderOf(data);
  const sets = ownerTexts(data);
  const reply = replyOf(exchange);
  const texts = sets.get(reply) ?? new Set(textsOf(exchange).flatMap(find));
  sets.set(reply, texts);
  const inHeaders = Object.values(exchange.headers).flatMap(find);
  return inHeaders.length > 0 ? new Set([...texts, ...inHeaders]) : texts;
}

/** Finds a text of the owner together with the same instant. */
function datedIn(exchange: Exchange, theirs: TenantData, own: TenantData, history: History): Found {
  const ownRecord = isOwnRecord(exchange, history);
  for (const { pair, text } of datedTexts(exchange)) {
    const from = theirs.dated.get(pair);
    if (from === undefined) continue;
    // In a reply about the reader's own record, only a conversation with its subject is surely another tenant's.
    const isTheirs = ownRecord ? theirs.subjects.has(text) && !own.subjects.has(text) : !own.dated.has(pair);
    if (isTheirs) return { what: `its record "${text.slice(0, 80)}" with the same instant`, from };
  }
  return null;
}

/**
 * Finds a message or client that a record of the owner shows in most replies, and the reader's own record only in few; and a conversation that both
 * show. Both tenants may have the same client or site, but not the same conversation.
 */
function memberIn(exchange: Exchange, theirs: TenantData, own: TenantData, history: History): Found {
  if (exchange.method !== 'GET' || !isOwnRecord(exchange, history)) return null;
  // Both tenants may have the same test data.
  const isTwin = stringsOf(exchange).every((text) => !isText(text) || theirs.texts.has(text));
  const isShared = (member: string) => !isTwin && conversationsOf(exchange).has(member);
  for (const member of membersOf(exchange)) {
    // A conversation that both tenants see now and then belongs to one of them at most.
    const seen = own.members.has(member) || !isShared(member) ? undefined : theirs.conversations.get(member);
    const from = theirs.members.get(member) ?? seen;
    const isTheirs = !own.members.has(member) || isShared(member);
    if (from !== undefined && isTheirs) return { what: `its record ${member.slice(0, 120)}`, from };
  }
  for (const value of personalIn(exchange)) {
    const from = theirs.personal.get(value);
    if (from !== undefined && !own.personal.has(value)) return { what: `its "${value.slice(0, 80)}"`, from };
  }
  return null;
}

/** What two replies out of three to a request contain, each with the first of these replies. */
export function mostlyIn(
  replies: readonly Exchange[],
  partsOf: (exchange: Exchange) => ReadonlySet<string>,
): Map<string, Exchange> {
  const shown = new Map<string, Exchange[]>();
  for (const one of replies) for (const part of partsOf(one)) shown.set(part, [...(shown.get(part) ?? []), one]);
  return new Map(
    [...shown].flatMap(([part, [first, ...more]]) =>
      first !== undefined && (more.length + 1) * 3 >= replies.length * 2 ? [[part, first] as const] : [],
    ),
  );
}

/** Whether both tenants have the same test data: all long texts of this reply are texts of the owner as well. */
const areTwins = (exchange: Exchange, { texts }: TenantData) =>
  stringsOf(exchange).every((text) => words(text) < 5 || text.length < 40 || texts.has(text));

/** Whether this is a successful reply about a record of the reader's own tenant. */
const isOwnRecord = (exchange: Exchange, history: History): boolean => {
  const { authenticates, record } = askedBy(exchange, history);
  return authenticates && succeeded(exchange) && record === 'ours';
};

const requestKey = ({ operation, params, key }: Exchange) => JSON.stringify([operation, params, key?.split('/')[0]]);

const byRequest = once((history) =>
  Map.groupBy(
    history.exchanges.filter((exchange) => isOwnRecord(exchange, history)),
    requestKey,
  ),
);

/** Successful replies to the same request of the same tenant. */
const sameRequests = (exchange: Exchange, history: History) => byRequest(history).get(requestKey(exchange)) ?? [];

const dataIn = once((history): ReadonlyMap<string, TenantData> => {
  const all = tenantsOf(deploymentIn(history));
  return new Map(
    all.map((owner) => {
      const other = all.find((one) => one !== owner);
      return [owner.name, collect(history, owner, other === undefined ? [] : namedIds(other))];
    }),
  );
});

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
  const records = new Set<string>();
  const members = new Map<string, Exchange>();
  const conversations = new Map<string, Exchange>();
  const personal = new Map<string, Exchange>();
  for (const replies of byRequest(history).values()) {
    const [first] = replies;
    if (first === undefined || first.method !== 'GET' || askedBy(first, history).tenant !== owner) continue;
    for (const [member, shown] of mostlyIn(replies, membersOf)) members.set(member, shown);
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
    const { subject } = objectIn(exchange);
    if (typeof subject === 'string') subjects.add(subject);
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
  return { ids, labels, texts, dated, subjects, members, conversations, personal, records: records.size };
}

const recordIds = ({ conversations, sites, clientSite }: TargetTenant): string[] =>
  [
    conversations?.open,
    conversations?.closed,
    sites?.current,
    sites?.legacy,
    clientSite?.client,
    clientSite?.site,
  ].filter((id) => id !== undefined);

/** Long ids in the target file, in lower case, without public labels, because tenants may share a catalogue of labels. */
const namedIds = (tenant: TargetTenant): string[] => {
  const all = [...recordIds(tenant), ...privatesOf(tenant).map(({ id }) => id)];
  return [...new Set(all.flatMap((id) => (id.length >= minLength ? [id.toLowerCase()] : [])))];
};

const words = (text: string) => text.trim().split(/\s+/).length;

/** Whether the text is so long that two people do not write it by chance. */
const isText = (text: string) => text.length >= minLength && (words(text) >= 3 || /^\S+@\S+$/.test(text));

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Each text with each instant in the same object. */
const datedTexts = cached((exchange): { readonly text: string; readonly pair: string }[] => {
  const pairs: { text: string; pair: string }[] = [];
  for (const [, value] of valuesOf(jsonOf(exchange))) {
    if (!isObject(value)) continue;
    const leaves = Object.values(value).filter((one) => typeof one === 'string');
    if (leaves.length < 3) continue;
    for (const at of leaves.filter((one) => instant.test(one)))
      for (const text of leaves.filter(isText)) pairs.push({ text, pair: `${at} ${text}` });
  }
  return pairs;
});

/** The objects in the lists of a reply that have three texts or more, as JSON. */
export const membersOf = cached(
  (exchange): ReadonlySet<string> =>
    new Set(
      [...valuesOf(jsonOf(exchange))].flatMap(([, value]) =>
        Array.isArray(value)
          ? value.filter((one) => isObject(one) && textsIn(one) >= 3).map((one) => JSON.stringify(one))
          : [],
      ),
    ),
);

/** The associated conversations among these objects. */
const conversationsOf = cached(
  (exchange): ReadonlySet<string> => new Set([...membersOf(exchange)].filter(isConversation)),
);

/** An associated conversation: with its friendly id, a subject and a time. */
function isConversation(member: string): boolean {
  const { friendlyId, subject, statusLastUpdatedAt } = JSON.parse(member);
  return (
    [friendlyId, subject].every((one) => typeof one === 'string' && one !== '') && instant.test(statusLastUpdatedAt)
  );
}

const personalFields = new Set(['requester', 'address', 'primaryPhoneNumber', 'primaryEmail']);

/** Requesters, addresses, phone numbers and mail addresses of a reply. */
const personalIn = cached(
  (exchange): ReadonlySet<string> =>
    new Set(
      [...valuesOf(jsonOf(exchange))].flatMap(([path, value]) =>
        typeof value === 'string' && value.length >= 5 && personalFields.has(String(path.at(-1))) ? [value] : [],
      ),
    ),
);

const textsIn = (object: object) => Object.values(object).filter((one) => typeof one === 'string' && one !== '').length;

/** The parsed body, or the exchange if that is no object. Equal long bodies share one parsed object, see jsonOf. */
function replyOf(exchange: Exchange): object {
  const json = jsonOf(exchange);
  return typeof json === 'object' && json !== null ? json : exchange;
}

/** Caches a function of the parsed bodies of replies. */
function cached<T>(compute: (exchange: Exchange) => T): (exchange: Exchange) => T {
  const cache = new WeakMap<object, T>();
  return (exchange) => {
    const reply = replyOf(exchange);
    const result = cache.get(reply) ?? compute(exchange);
    cache.set(reply, result);
    return result;
  };
}

const stringsOf = cached((exchange): readonly string[] =>
  [...valuesOf(jsonOf(exchange))].flatMap(([, value]) => (typeof value === 'string' ? [value] : [])),
);

/** All strings of a JSON reply, or the whole body of another reply. */
const textsOf = (exchange: Exchange): readonly string[] =>
  jsonOf(exchange) === undefined ? [exchange.body ?? ''] : stringsOf(exchange);

const replyTextOf = perObject(({ body, headers }: Exchange) =>
  decoded(`${body} ${Object.values(headers).join(' ')}`).toLowerCase(),
);

const requestTextOf = perObject(({ url, requestHeaders, requestBody }: Exchange) =>
  decoded(`${url} ${Object.values(requestHeaders).join(' ')} ${requestBody ?? ''}`).toLowerCase(),
);

/** Whether the request contained the value, so that the reply only echoes it. */
const wasSent = (exchange: Exchange, value: string) => requestTextOf(exchange).includes(value);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
