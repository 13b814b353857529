import type { TargetTenant } from '../../../spec/files/target.ts';
import { type Exchange, isObject, jsonOf, objectIn, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { privatesOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';

/** Something of a tenant's in a reply to somebody else. */
interface Sighting {
  readonly exchange: Exchange;
  /** Whose it is. */
  readonly owner: string;
  /** What was seen, in a few words. */
  readonly what: string;
  /** Where its owner was shown it. */
  readonly from: Exchange | null;
}

/** What is known of a tenant from the target file and from replies to its own keys about its own records. */
interface Known {
  /** Ids that can be nobody else's. */
  readonly ids: ReadonlyMap<string, Exchange | null>;
  /** Texts, with the records that they stand in. */
  readonly texts: ReadonlyMap<string, { readonly records: ReadonlySet<string>; readonly from: Exchange }>;
  /** Texts with an instant that stands beside them: nobody writes the same to two partners in the same second. */
  readonly dated: ReadonlyMap<string, Exchange>;
  /** Subjects of its conversations. */
  readonly subjects: ReadonlySet<string>;
  /** Messages, clients and the like that one of its records shows in every reply, as JSON. */
  readonly members: ReadonlyMap<string, Exchange>;
  readonly records: number;
}

/** Below this a value may be the same by chance: bare ids are numbers, and everybody has a Smith. */
const longEnough = 16;

/** Every sighting of a tenant's data where it must not be. */
export const sightings = once((history): readonly Sighting[] => {
  const { tenant, stranger } = deploymentIn(history);
  if (stranger === undefined) return [];
  return [
    [tenant, stranger],
    [stranger, tenant],
  ].flatMap(([owner, reader]) =>
    owner === undefined || reader === undefined ? [] : [...seenBy(history, owner, reader)],
  );
});

function* seenBy(history: History, owner: TargetTenant, reader: TargetTenant): Generator<Sighting> {
  const theirs = knownOf(history).get(owner.name);
  const own = knownOf(history).get(reader.name);
  if (theirs === undefined || own === undefined) return;
  for (const exchange of repliesNotTo(history, owner)) {
    const found =
      idIn(exchange, theirs, own) ??
      textIn(exchange, theirs, own, history) ??
      datedIn(exchange, theirs, own, history) ??
      memberIn(exchange, theirs, own, history);
    if (found !== null) yield { exchange, owner: owner.name, ...found };
  }
}

/** Replies that the tenant must have no data in: those to the other's keys, and to nobody's. What its own keys are shown is no leak, however they are sent. */
const repliesNotTo = (history: History, { name }: TargetTenant) =>
  history.exchanges.filter((exchange) => {
    const { tenant } = askedBy(exchange, history);
    return exchange.body !== null && exchange.operation !== 'storage' && tenant?.name !== name;
  });

type Found = Pick<Sighting, 'what' | 'from'> | null;

/** An id of the owner's, as text anywhere in the reply. */
function idIn(exchange: Exchange, { ids }: Known, own: Known): Found {
  const shown = shownIn(exchange);
  for (const [id, from] of ids)
    if (shown.includes(id) && !own.ids.has(id) && !wasSent(exchange, id)) return { what: `its id ${id}`, from };
  return null;
}

/**
 * A text of the owner's. Two partners may well use the same words: in a reply about the reader's own record only prose counts that
 * stands in one record of the owner's alone, or that is not there each time.
 */
function textIn(exchange: Exchange, theirs: Known, own: Known, history: History): Found {
  const { ownRecord } = about(exchange, history);
  for (const text of heldIn(exchange, theirs)) {
    const known = theirs.texts.get(text);
    if (known === undefined || wasSent(exchange, text.toLowerCase())) continue;
    const { records, from } = known;
    const found = { what: `its text "${text.slice(0, 80)}"`, from };
    if (!ownRecord) {
      // What everybody is told stands in replies about the reader's own records, too.
      if (!own.texts.has(text)) return found;
      continue;
    }
    if (records.size > 1 || theirs.records < 2) continue;
    const always = sameAsk(exchange, history).every((one) => heldIn(one, theirs).has(text));
    if (!always && words(text) >= 4 && text.length >= 20) return found;
    if (always && words(text) >= 5 && text.length >= 40 && !areTwins(exchange, theirs)) return found;
  }
  return null;
}

/** So many characters of a text are looked for first. */
const head = 12;

/** Which of an owner's texts stand in a text. */
const finders = new WeakMap<Known, (text: string) => readonly string[]>();

function finderOf(known: Known): (text: string) => readonly string[] {
  const byHead = Map.groupBy(known.texts.keys(), (text) => text.slice(0, head));
  const seen = new Map<string, readonly string[]>();
  const look = (text: string) => {
    const found: string[] = [];
    for (let at = 0; at + head <= text.length; at++)
      for (const one of byHead.get(text.slice(at, at + head)) ?? []) if (text.startsWith(one, at)) found.push(one);
    return found;
  };
  return (text) => {
    const found = seen.get(text) ?? look(text);
    seen.set(text, found);
    return found;
  };
}

const held = new WeakMap<Known, WeakMap<object, ReadonlySet<string>>>();

/** The owner's texts that a reply says. */
function heldIn(exchange: Exchange, known: Known): ReadonlySet<string> {
  const find = finders.get(known) ?? finderOf(known);
  finders.set(known, find);
  const sets = held.get(known) ?? new WeakMap<object, ReadonlySet<string>>();
  held.set(known, sets);
  const reply = replyOf(exchange);
  const found = sets.get(reply) ?? new Set(textsOf(exchange).flatMap(find));
  sets.set(reply, found);
  return found;
}

function datedIn(exchange: Exchange, theirs: Known, own: Known, history: History): Found {
  const { ownRecord } = about(exchange, history);
  for (const { pair, text } of datedTexts(exchange)) {
    const from = theirs.dated.get(pair);
    if (from === undefined) continue;
    // Of what is shown beside the reader's own record, the subject of a conversation says whose it is.
    const isTheirs = ownRecord ? theirs.subjects.has(text) && !own.subjects.has(text) : !own.dated.has(pair);
    if (isTheirs) return { what: `its record "${text.slice(0, 80)}" with the same instant`, from };
  }
  return null;
}

/** A message or a client that a record of the owner's always shows, and the reader's own record only now and then. */
function memberIn(exchange: Exchange, theirs: Known, own: Known, history: History): Found {
  if (exchange.method !== 'GET' || !about(exchange, history).ownRecord) return null;
  for (const member of membersOf(exchange)) {
    const from = theirs.members.get(member);
    if (from !== undefined && !own.members.has(member)) return { what: `its record ${member.slice(0, 120)}`, from };
  }
  return null;
}

/** Both were given the same data for tests: all long texts of this reply are the owner's as well. */
const areTwins = (exchange: Exchange, { texts }: Known) =>
  stringsOf(exchange).every((text) => words(text) < 5 || text.length < 40 || texts.has(text));

const about = (exchange: Exchange, history: History) => {
  const { authenticates, record } = askedBy(exchange, history);
  return { ownRecord: authenticates && succeeded(exchange) && record === 'ours' };
};

const askOf = ({ operation, params, key }: Exchange) => JSON.stringify([operation, params, key?.split('/')[0]]);

const byAsk = once((history) =>
  Map.groupBy(
    history.exchanges.filter((exchange) => about(exchange, history).ownRecord),
    askOf,
  ),
);

/** Successful replies to the same request of the same tenant. */
const sameAsk = (exchange: Exchange, history: History) => byAsk(history).get(askOf(exchange)) ?? [];

const knownOf = once((history): ReadonlyMap<string, Known> => {
  const { tenant, stranger } = deploymentIn(history);
  const all = [tenant, ...(stranger ? [stranger] : [])];
  return new Map(
    all.map((owner) => {
      const other = all.find((one) => one !== owner);
      return [owner.name, learn(history, owner, other === undefined ? [] : namedIds(other))];
    }),
  );
});

function learn(history: History, owner: TargetTenant, notIds: readonly string[]): Known {
  const ids = new Map<string, Exchange | null>(
    namedIds(owner)
      .filter((id) => !notIds.includes(id))
      .map((id) => [id, null]),
  );
  const texts = new Map<string, { records: Set<string>; from: Exchange }>();
  const dated = new Map<string, Exchange>();
  const subjects = new Set<string>();
  const seen = new Set<string>();
  const members = new Map<string, Exchange>();
  for (const [first, ...others] of byAsk(history).values()) {
    if (first === undefined || first.method !== 'GET' || askedBy(first, history).tenant !== owner) continue;
    for (const member of membersOf(first))
      if (others.every((one) => membersOf(one).has(member))) members.set(member, first);
  }
  for (const exchange of history.exchanges) {
    const { tenant } = askedBy(exchange, history);
    if (tenant !== owner || !about(exchange, history).ownRecord || exchange.method !== 'GET') continue;
    const record = Object.values(exchange.params).join(' ');
    seen.add(record);
    for (const text of stringsOf(exchange)) {
      const lower = text.toLowerCase();
      // An id of a record is bound to one tenant; those of agents, brands and labels need not be.
      if (/^ov[ac]id-[0-9a-f-]{36}$/.test(lower) && !notIds.includes(lower) && !ids.has(lower))
        ids.set(lower, exchange);
      if (!isText(text)) continue;
      const found = texts.get(text) ?? { records: new Set(), from: exchange };
      found.records.add(record);
      texts.set(text, found);
    }
    for (const { pair } of datedTexts(exchange)) if (!dated.has(pair)) dated.set(pair, exchange);
    const { subject } = objectIn(exchange);
    if (typeof subject === 'string') subjects.add(subject);
  }
  return { ids, texts, dated, subjects, members, records: seen.size };
}

/** Long ids that the target file names, in lower case. Its public labels are not among them: tenants may share a catalogue. */
const namedIds = (tenant: TargetTenant): string[] => {
  const { conversations, sites, clientSite } = tenant;
  const all = [
    conversations?.open,
    conversations?.closed,
    sites?.current,
    sites?.legacy,
    clientSite?.client,
    clientSite?.site,
    ...privatesOf(tenant).map(({ id }) => id),
  ];
  return [...new Set(all.flatMap((id) => (id !== undefined && id.length >= longEnough ? [id.toLowerCase()] : [])))];
};

const words = (text: string) => text.trim().split(/\s+/).length;

/** Long enough and with words enough that two people do not write it by chance. */
const isText = (text: string) => text.length >= longEnough && (words(text) >= 3 || /^\S+@\S+$/.test(text));

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Texts with each instant that stands in the same object. */
const datedTexts = remembered((exchange): { readonly text: string; readonly pair: string }[] => {
  const found: { text: string; pair: string }[] = [];
  for (const [, value] of valuesOf(jsonOf(exchange))) {
    if (!isObject(value)) continue;
    const leaves = Object.values(value).filter((one) => typeof one === 'string');
    if (leaves.length < 3) continue;
    for (const at of leaves.filter((one) => instant.test(one)))
      for (const text of leaves.filter(isText)) found.push({ text, pair: `${at} ${text}` });
  }
  return found;
}, replyOf);

/** The objects in the lists of a reply that have three texts or more, as JSON. */
const membersOf = remembered(
  (exchange): ReadonlySet<string> =>
    new Set(
      [...valuesOf(jsonOf(exchange))].flatMap(([, value]) =>
        Array.isArray(value)
          ? value.filter((one) => isObject(one) && textsIn(one) >= 3).map((one) => JSON.stringify(one))
          : [],
      ),
    ),
  replyOf,
);

const textsIn = (object: object) => Object.values(object).filter((one) => typeof one === 'string' && one !== '').length;

/** Equal long replies are one and the same JSON. */
function replyOf(exchange: Exchange): object {
  const json = jsonOf(exchange);
  return typeof json === 'object' && json !== null ? json : exchange;
}

/** What is found out about an exchange, or about what it says, is found out once. */
function remembered<T>(
  compute: (exchange: Exchange) => T,
  of: (exchange: Exchange) => object = (exchange) => exchange,
): (exchange: Exchange) => T {
  const known = new WeakMap<object, T>();
  return (exchange) => {
    const found = known.get(of(exchange)) ?? compute(exchange);
    known.set(of(exchange), found);
    return found;
  };
}

const stringsOf = remembered(
  (exchange): readonly string[] =>
    [...valuesOf(jsonOf(exchange))].flatMap(([, value]) => (typeof value === 'string' ? [value] : [])),
  replyOf,
);

/** All texts of a reply; all of it where it is no JSON. */
const textsOf = (exchange: Exchange): readonly string[] =>
  jsonOf(exchange) === undefined ? [exchange.body ?? ''] : stringsOf(exchange);

const shownIn = remembered(({ body, headers }) => decoded(`${body} ${Object.values(headers).join(' ')}`).toLowerCase());

const sentIn = remembered(({ url, requestHeaders, requestBody }) =>
  decoded(`${url} ${Object.values(requestHeaders).join(' ')} ${requestBody ?? ''}`).toLowerCase(),
);

/** A refusal may well repeat what was asked for. */
const wasSent = (exchange: Exchange, wanted: string) => sentIn(exchange).includes(wanted);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
