import { uuid } from '../../../../spec/text/uuid.ts';
import { type Exchange, isObject, jsonOf, succeeded } from '../../../history/exchange.ts';
import type { History } from '../../../history/history.ts';
import { type Holder, labelWriteOf } from '../../../target/holder.ts';
import { ownerOf } from '../../../target/records.ts';
import { askedBy, deploymentIn } from '../../judging/asked.ts';
import { contextsOfOthers } from '../../judging/contexts-of-others.ts';
import { once } from '../../judging/law.ts';
import { catalogueOfTenant } from './catalogue.ts';

/** Where the replies of an operation contain the set of labels, and how an item names its label. */
export interface Spelling {
  /** Names of the properties that lead to the array, or to the object by label. */
  readonly at: readonly string[];
  /** Names of the properties inside an item; empty where the item is a text; null where the set is an object keyed by label. */
  readonly item: readonly string[] | null;
}

/** A reply that shows the labels of a holder. */
export interface Showing {
  readonly exchange: Exchange;
  readonly tenant: string;
  readonly holder: Holder;
  /** How often the set contains each label, by id in lower case, or by `=` and its text where the id is not known. */
  readonly labels: ReadonlyMap<string, number>;
  /** Whether this label would be recognised if the set contained it. */
  recognises(label: string): boolean;
}

/** The label sets in a history. How a deployment spells them is learned from replies whose sets are known. */
interface LabelSets {
  readonly showings: readonly Showing[];
  readonly of: ReadonlyMap<Exchange, Showing>;
  readonly spellings: ReadonlyMap<string, Spelling>;
}

/** A reply that may contain a set of labels. */
interface Candidate {
  readonly exchange: Exchange;
  readonly tenant: string;
  readonly holder: Holder;
  readonly write: { readonly act: 'apply' | 'remove'; readonly label: string } | null;
}

/** The reply that this one stands for: a 304 says that every reply with the ETag of the request is still true, also if they differ. */
function standingFor(exchange: Exchange, { exchanges }: History): Exchange {
  const { status, operation, key, params, requestHeaders, n } = exchange;
  const etag = status === 304 ? requestHeaders['if-none-match'] : undefined;
  if (etag === undefined) return exchange;
  const alike = exchanges.filter(
    (one) =>
      one.n < n &&
      one.operation === operation &&
      one.key === key &&
      one.params.id === params.id &&
      one.headers.etag === etag &&
      succeeded(one),
  );
  const last = alike.at(-1) ?? exchange;
  return alike.findLast(({ body }) => body !== last.body) ?? last;
}

/** The exchange as a candidate if it is a success about a holder of the key's own tenant, else null. */
function candidateOf(exchange: Exchange, history: History): Candidate | null {
  const { operation, params } = exchange;
  const write = labelWriteOf(operation, params);
  if (!succeeded(standingFor(exchange, history)) || (write === null && operation !== 'getConversationContext'))
    return null;
  const { tenant, authenticates, record } = askedBy(exchange, history);
  if (tenant === undefined || !authenticates || record !== 'ours') return null;
  // What another record carries says nothing about this one.
  if (contextsOfOthers(history).has(exchange)) return null;
  const holder: Holder = write?.holder ?? { kind: 'conversation', id: params.id ?? '' };
  if (ownerOf(deploymentIn(history), holder, tenant.name) !== tenant.name) return null;
  return {
    exchange,
    tenant: tenant.name,
    holder,
    write: write && { act: write.act, label: write.label.toLowerCase() },
  };
}

export const labelSetsIn = once((history: History): LabelSets => {
  const candidates = history.exchanges.flatMap((exchange) => candidateOf(exchange, history) ?? []);
  const spellings = spellingsOf(candidates, history);
  // Tenants and operations that name labels by their ids.
  const namesIds = new Set<string>();
  const read = candidates.flatMap((candidate) => {
    const spelling = spellings.get(candidate.exchange.operation ?? '');
    const texts = spelling && textsAt(jsonOf(standingFor(candidate.exchange, history)), spelling);
    if (spelling === undefined || texts === null || texts === undefined) return [];
    const { meantBy } = catalogueOfTenant(history, candidate.tenant);
    const labels = new Map<string, number>();
    const name = `${candidate.tenant} ${candidate.exchange.operation}`;
    if (texts.some((text) => uuid.test(text))) namesIds.add(name);
    for (const text of texts) {
      const label = meantBy(text) ?? `=${text}`;
      labels.set(label, (labels.get(label) ?? 0) + 1);
    }
    return [{ candidate, labels }];
  });
  // An operation that shows unknown texts may show one of them for a label that is known only by its id.
  const shownBy = new Map<string, Set<string>>();
  for (const { candidate, labels } of read) {
    const name = `${candidate.tenant} ${candidate.exchange.operation}`;
    const shown = shownBy.get(name) ?? new Set();
    for (const label of labels.keys()) shown.add(label);
    shownBy.set(name, shown);
  }
  const showings = read.map(({ candidate: { exchange, tenant, holder }, labels }): Showing => {
    const shown = shownBy.get(`${tenant} ${exchange.operation}`) ?? new Set();
    const named = catalogueOfTenant(history, tenant).labels;
    const all = [...shown];
    const byId = namesIds.has(`${tenant} ${exchange.operation}`);
    const unknown = all.some((label) => label.startsWith('='));
    return {
      exchange,
      tenant,
      holder,
      labels,
      recognises: (label) =>
        shown.has(label) || (byId && !label.startsWith('=')) || (!unknown && (named.get(label)?.size ?? 0) > 0),
    };
  });
  return { showings, of: new Map(showings.map((showing) => [showing.exchange, showing])), spellings };
});

/** The text that names the label of each item; null where there is no set at that place. */
function textsAt(json: unknown, { at, item }: Spelling): string[] | null {
  let set = json;
  for (const name of at) set = isObject(set) ? set[name] : undefined;
  if (item === null) return isObject(set) ? Object.keys(set) : null;
  if (!Array.isArray(set)) return null;
  return set.map((one: unknown) => {
    let value = one;
    if (typeof one === 'string') return one;
    for (const name of item) value = isObject(value) ? value[name] : undefined;
    return typeof value === 'string' ? value : JSON.stringify(value ?? one);
  });
}

/** Every place in a reply where this label is an item of an array or a key of an object. */
function placesOf(json: unknown, isLabel: (text: string) => boolean): Spelling[] {
  const spellings: Spelling[] = [];
  const inContainer = (at: readonly string[], value: unknown) => {
    if (Array.isArray(value))
      for (const item of value) for (const path of pathsTo(item, isLabel)) spellings.push({ at, item: path });
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (isLabel(name)) spellings.push({ at, item: null });
      inContainer([...at, name], inner);
    }
  };
  inContainer([], json);
  return spellings;
}

function pathsTo(
  item: unknown,
  isLabel: (text: string) => boolean,
  before: readonly string[] = [],
): (readonly string[])[] {
  if (typeof item === 'string' || typeof item === 'number') return isLabel(String(item)) ? [before] : [];
  if (!isObject(item) || before.length > 2) return [];
  return Object.entries(item).flatMap(([name, inner]) => pathsTo(inner, isLabel, [...before, name]));
}

const nameOf = ({ at, item }: Spelling) => `${at.join('/')} ${item?.join('/') ?? '#'}`;

/** Documented: the set of a site is at `labels`, and so are the labels of a context, which are texts. */
const documented: Readonly<Record<string, readonly string[]>> = {
  applySiteLabel: ['labels'],
  getConversationContext: ['labels'],
};

/**
 * The spelling of each operation. The set in a reply to an apply contains the label; the set in a reply to a removal does not. A catalogue, a
 * history or suggestions in the same reply may name the label in both cases.
 */
function spellingsOf(candidates: readonly Candidate[], history: History): ReadonlyMap<string, Spelling> {
  const learned = new Map<string, Spelling>();
  const groups: Readonly<Record<string, Candidate[] | undefined>> = Object.groupBy(
    candidates,
    ({ exchange }) => exchange.operation ?? '',
  );
  const ofAct = (act: 'apply' | 'remove') =>
    Object.entries(groups).filter(([, group]) => group?.[0]?.write?.act === act) as [string, Candidate[]][];
  const neighbours = new Map<string, Set<string>>();
  for (const [operation, replies] of ofAct('apply')) {
    const removals = groups[operation.replace('apply', 'remove')] ?? [];
    const all = [...catalogueLabels(replies, history)];
    const best =
      bestOf(operation, replies, ({ write }) => (write ? [write.label] : []), removals, history) ??
      // The place is documented, so labels there are the set even if the applied one is never among them.
      (documented[operation] && bestOf(operation, replies, () => all, [], history));
    if (best === undefined) continue;
    learned.set(operation, best);
    for (const { exchange, tenant, holder, write } of replies) {
      const { meantBy } = catalogueOfTenant(history, tenant);
      const labels = neighbours.get(holder.kind) ?? new Set();
      for (const text of textsAt(jsonOf(exchange), best) ?? []) {
        const label = meantBy(text);
        if (label !== undefined && label !== write?.label) labels.add(label);
      }
      neighbours.set(holder.kind, labels);
    }
  }
  for (const [operation, replies] of ofAct('remove')) {
    const kind = replies[0]?.holder.kind ?? 'site';
    const labels = [...(neighbours.get(kind) ?? catalogueLabels(replies, history))];
    const ownSpelling = bestOf(
      operation,
      replies,
      ({ write }) => labels.filter((label) => label !== write?.label),
      replies,
      history,
    );
    const likeApply = learned.get(operation.replace('remove', 'apply'));
    const fits = likeApply && replies.some(({ exchange }) => textsAt(jsonOf(exchange), likeApply) !== null);
    const chosen = fits ? likeApply : (ownSpelling ?? usualSpelling(operation, replies));
    if (chosen !== undefined) learned.set(operation, chosen);
    // Replies to an apply that show other labels in the same way, but never the applied one.
    const apply = operation.replace('remove', 'apply');
    const applied = groups[apply] ?? [];
    if (
      documented[apply] === undefined &&
      !learned.has(apply) &&
      ownSpelling &&
      showsLabels(applied, ownSpelling, history)
    )
      learned.set(apply, ownSpelling);
  }
  if (groups.getConversationContext !== undefined) learned.set('getConversationContext', { at: ['labels'], item: [] });
  return learned;
}

/** Whether replies to writes of conversations show labels of the list at this place. How the set of a link is shown is not documented. */
const showsLabels = (replies: readonly Candidate[], spelling: Spelling, history: History): boolean =>
  replies.some(({ exchange, tenant, holder }) => {
    const { labels, meantBy } = catalogueOfTenant(history, tenant);
    const texts = (holder.kind === 'conversation' && textsAt(jsonOf(exchange), spelling)) || [];
    return texts.some((text) => labels.has(meantBy(text) ?? ''));
  });

const catalogueLabels = (replies: readonly Candidate[], history: History) =>
  new Set(replies.flatMap(({ tenant }) => [...catalogueOfTenant(history, tenant).labels.keys()]));

/** For replies without a known label: an array of records with ids, at `labels` or as the whole body. */
function usualSpelling(operation: string, replies: readonly Candidate[]): Spelling | undefined {
  for (const at of documented[operation] ? [documented[operation]] : [['labels'], []])
    if (replies.some(({ exchange }) => textsAt(jsonOf(exchange), { at, item: ['id'] }) !== null))
      return { at, item: ['id'] };
  return undefined;
}

/** The place that most often contains labels that must be in the set, and least often labels that were just removed. */
function bestOf(
  operation: string,
  replies: readonly Candidate[],
  present: (candidate: Candidate) => readonly string[],
  removals: readonly Candidate[],
  history: History,
): Spelling | undefined {
  const scores = new Map<string, { readonly spelling: Spelling; score: number; ids: number; size: number }>();
  for (const candidate of replies) {
    const json = jsonOf(candidate.exchange);
    const { meantBy } = catalogueOfTenant(history, candidate.tenant);
    const expected = new Set(present(candidate));
    const isExpected = (text: string) => expected.has(meantBy(text) ?? '');
    const places = new Map(
      placesOf(json, isExpected)
        .filter(({ at }) => documented[operation] === undefined || at.join('/') === documented[operation].join('/'))
        .map((spelling) => [nameOf(spelling), spelling]),
    );
    for (const [name, spelling] of places) {
      const texts = textsAt(json, spelling) ?? [];
      const entry = scores.get(name) ?? { spelling, score: 0, ids: 0, size: 0 };
      const times = texts.filter(isExpected).length;
      // A label that is listed twice indicates a log of changes.
      entry.score += candidate.write?.act === 'apply' && times > 1 ? 0.5 : Math.min(times, 1);
      entry.ids += texts.some((text) => uuid.test(text)) ? 1 : 0;
      entry.size += texts.length;
      scores.set(name, entry);
    }
  }
  for (const entry of scores.values())
    for (const { exchange, tenant, write } of removals) {
      const { meantBy } = catalogueOfTenant(history, tenant);
      const texts = textsAt(jsonOf(exchange), entry.spelling) ?? [];
      if (texts.some((text) => meantBy(text) === write?.label)) entry.score--;
    }
  const named = ({ spelling: { at } }: { readonly spelling: Spelling }) => (at.at(-1) === 'labels' ? 0 : 1);
  const byId = ({ spelling: { item } }: { readonly spelling: Spelling }) => (item?.join('/') === 'id' ? 0 : 1);
  return [...scores.values()].sort(
    (a, b) =>
      b.score - a.score ||
      b.ids - a.ids ||
      named(a) - named(b) ||
      // A list of changes is a part of the set, so the longer list is the set.
      b.size - a.size ||
      byId(a) - byId(b) ||
      a.spelling.at.length - b.spelling.at.length,
  )[0]?.spelling;
}
