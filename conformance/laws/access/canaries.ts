import type { TargetTenant } from '../../../spec/files/target.ts';
import { type Exchange, jsonOf, refused, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { perObject } from '../../per-object.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';
import {
  conversationsOf,
  datedTexts,
  isText,
  membersOf,
  personalIn,
  replyTextOf,
  stringsOf,
  wasSent,
  words,
} from '../judging/reply-parts.ts';
import { differenceIn, shortened } from '../judging/shortened.ts';
import { catalogueOfTenant } from '../labels/sets/catalogue.ts';
import { labelSetsIn } from '../labels/sets/label-sets.ts';
import { ownerTextsIn, reusedTextsIn } from './owner-texts.ts';
import { dataIn, friendlyName, isOwnRecord, recordIds, sameRequests, type TenantData } from './tenant-data.ts';

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
      labelNameIn(exchange, theirs, history) ??
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
    if (text.includes(id) && !own.ids.has(id) && !wasSent(exchange, id) && !isQuoted(id, exchange, history))
      return { what: `its id ${id}`, from };
  if (exchange.operation === 'listLabels') return null;
  const { record, other: owner } = askedBy(exchange, history);
  // Where both tenants have a record with this id, the set of one may be shown for that of the other.
  const isShared = owner !== undefined && recordIds(owner).some((one) => Object.values(exchange.params).includes(one));
  const set = isShared ? labelSetsIn(history).of.get(exchange)?.labels : undefined;
  const shows = (id: string) => (record === 'ours' ? (set?.has(id) ?? false) : text.includes(id));
  for (const id of labels) if (shows(id) && !wasSent(exchange, id)) return { what: `its label ${id}`, from: null };
  return null;
}

/** Finds the name of the owner's label that was asked for in the refusal, unless other refusals contain these words as well. */
function labelNameIn(exchange: Exchange, { labelNames }: TenantData, history: History): Found {
  const asked = exchange.params.labelId?.toLowerCase() ?? '';
  if (!refused(exchange)) return null;
  const others = () => history.exchanges.filter((one) => refused(one) && one.params.labelId?.toLowerCase() !== asked);
  const { meantBy } = catalogueOfTenant(history, askedBy(exchange, history).tenant?.name ?? '');
  for (const name of labelNames.get(asked) ?? []) {
    if (meantBy(name) !== undefined) continue;
    const isIn = (one: Exchange) => replyTextOf(one).includes(name.toLowerCase());
    if (name.length >= 4 && isIn(exchange) && !wasSent(exchange, name.toLowerCase()) && !others().some(isIn))
      return { what: `the name of its label "${name}"`, from: null };
  }
  return null;
}

/** Whether an id is part of a message's own words: every reply about this record shows it there, and nowhere else. */
const isQuoted = (id: string, exchange: Exchange, history: History) =>
  isOwnRecord(exchange, history) && sameRequests(exchange, history).every((one) => quotes(one, id));

function quotes(exchange: Exchange, id: string): boolean {
  const headers = Object.values(exchange.headers).join(' ').toLowerCase();
  const holding = [...valuesOf(jsonOf(exchange))].filter(([path, value]) =>
    `${path.at(-1)} ${typeof value === 'string' ? value : ''}`.toLowerCase().includes(id),
  );
  const isMessage = ([list, , field]: readonly (string | number)[]) => list === 'messages' && field === 'text';
  return (
    holding.length > 0 &&
    !headers.includes(id) &&
    holding.every(([path, value]) => path.length === 3 && isMessage(path) && words(String(value)) >= minWords)
  );
}

/** A text of so many words is written by a person, and is no value. */
const minWords = 5;

/**
 * Finds a text of the owner. Two tenants may use the same words, so a reply about the reader's own record counts only for long texts that
 * are in a single record of the owner, or that some replies to the same request lack.
 */
function textIn(exchange: Exchange, theirs: TenantData, own: TenantData, history: History): Found {
  const ownRecord = isOwnRecord(exchange, history);
  const reused = ownRecord ? reusedTextsIn(exchange, theirs, own) : new Set();
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
    if (records.size > 1 || theirs.records < 2 || reused.has(text)) continue;
    const always = sameRequests(exchange, history).every((one) => ownerTextsIn(one, theirs).has(text));
    if (!always && words(text) >= 4 && text.length >= 20) return sighting;
    if (always && words(text) >= 5 && text.length >= 40 && !areTwins(exchange, theirs)) return sighting;
  }
  return null;
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
 * show now and then, because it belongs to one of them at most.
 */
function memberIn(exchange: Exchange, theirs: TenantData, own: TenantData, history: History): Found {
  if (exchange.method !== 'GET' || !isOwnRecord(exchange, history)) return null;
  // The product may write the same to both tenants at about the same time.
  const cameToBoth = (part: string) => own.arrived.has(part) && theirs.arrived.has(part);
  for (const member of membersOf(exchange)) {
    if (own.members.has(member) || cameToBoth(member)) continue;
    const seen = conversationsOf(exchange).has(member) && !isTwin(exchange, theirs);
    const from = theirs.members.get(member) ?? (seen ? theirs.conversations.get(member) : undefined);
    if (from !== undefined)
      return { what: `its record ${shortened(member, 160, differenceIn(member, own.members.keys()))}`, from };
  }
  for (const conversation of conversationsOf(exchange)) {
    const { friendlyId, subject } = JSON.parse(conversation);
    const name = friendlyName(friendlyId, subject);
    // Two tenants with the same test data have the same beginnings, too.
    const isCountedAlike = [...own.friendly.keys()].some((one) => beginningOf(one) === beginningOf(name));
    const from = isText(subject) && own.friendly.size > 0 && !isCountedAlike ? theirs.friendly.get(name) : undefined;
    if (from !== undefined) return { what: `its conversation ${name.slice(0, 80)}`, from };
  }
  for (const value of personalIn(exchange)) {
    const from = theirs.personal.get(value);
    if (from !== undefined && !own.personal.has(value) && !cameToBoth(value))
      return { what: `its "${value.slice(0, 80)}"`, from };
  }
  return null;
}

/** What stands before the number in a friendly id. */
const beginningOf = (friendlyId: string) => /^\D*/.exec(friendlyId)?.[0];

/** Whether both tenants have the same test data: all long texts of this reply are texts of the owner as well. */
const areTwins = (exchange: Exchange, owner: TenantData) => allLongIn(owner)(stringsOf(exchange));
/** Cached, since a reply of a thousand long texts asks for each. */
const allLongIn = perObject(({ texts }: TenantData) =>
  perObject((strings: readonly string[]) =>
    strings.every((text) => texts.has(text) || text.length < 40 || words(text) < 5),
  ),
);

/** Whether both tenants have the same test data: all texts of this reply are texts of the owner as well. */
const isTwin = (exchange: Exchange, owner: TenantData) => allIn(owner)(stringsOf(exchange));
const allIn = perObject(({ texts }: TenantData) =>
  perObject((strings: readonly string[]) => strings.every((text) => texts.has(text) || !isText(text))),
);

/** Associated conversations that most contexts of both tenants show: test data that both have, or a conversation of one shown to the other. */
export function conversationsOfBoth(history: History): string[] {
  const [one, other] = [...dataIn(history).values()];
  if (one === undefined || other === undefined) return [];
  return [...one.members].flatMap(([member, shown]) => {
    const { friendlyId, subject } = JSON.parse(member);
    // Two tenants may count their conversations alike, and have a short subject in common.
    const isDoubtful = other.members.has(member) && conversationsOf(shown).has(member) && isText(subject);
    return isDoubtful && !isTwin(shown, other) ? [`${friendlyId} "${subject.slice(0, 80)}"`] : [];
  });
}
