/**
 * What no reply may carry: data of a tenant in a reply to anybody else, and private labels. Words that two people may write by chance are no evidence:
 * what counts are ids, texts together with their instant, long texts where the reader's own record is not shown, and values that come and go.
 */
import type { TargetTenant } from '../../spec/files/target.ts';
import { uuid } from '../../spec/text/uuid.ts';
import { type Exchange, isObject, jsonOf, refused, succeeded, valuesOf } from '../history/exchange.ts';
import { hasMore } from '../history/pages.ts';
import { minName, minText, noChance } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';
import { holdersOf, privatesOf, tenantsOf } from '../target/records.ts';
import { caseOf } from './case.ts';
import { reasonsOf } from './reasons.ts';
import { sitesShown } from './shown.ts';

/** Data of a tenant in a reply to somebody else, or a private label in any reply. */
interface Leak {
  readonly exchange: Exchange;
  readonly what: string;
  /** A reply to the owner that shows the same. */
  readonly from?: Exchange;
  /** Every reply about the reader's own record shows it, so that both tenants may have it. */
  readonly isOpen?: true;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const isLong = (text: string) => text.length >= minText && text.trim().split(/\s+/).length >= noChance;

/** The tenant whose key was sent, in whatever way; null where none was. */
const readerOf = ({ key }: Exchange, tenants: readonly TargetTenant[]) =>
  tenants.find(({ name }) => key?.startsWith(`${name}/`)) ?? null;

const wholeReply = ({ body, headers }: Exchange) => `${body ?? ''}\n${Object.values(headers).join('\n')}`.toLowerCase();
const askedText = ({ url, requestBody, requestHeaders }: Exchange) =>
  decoded(`${url} ${requestBody ?? ''} ${Object.values(requestHeaders).join(' ')}`).toLowerCase();

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a tenant has, by the target file and by its own reads. */
interface Plants {
  readonly ids: Map<string, Exchange | null>;
  readonly dated: Map<string, Exchange>;
  /** A message has one instant or two. Words that come with more are a machine's, which may write them to others at the same instant. */
  readonly automatic: Set<string>;
  readonly texts: Map<string, Exchange>;
  /** Values by the place where its records show them: `getConversationContext subject`. */
  readonly values: Map<string, Map<string, Exchange>>;
  /** Names of the labels that only its lists show, by their ids. */
  readonly labels: ReadonlyMap<string, { readonly names: readonly string[]; readonly from: Exchange }>;
}

/** The labels that all lists of a tenant show together. */
function labelsIn(lists: readonly Exchange[]): Plants['labels'] {
  const labels = new Map<string, { names: string[]; from: Exchange }>();
  for (const from of lists)
    for (const [, value] of valuesOf(jsonOf(from))) {
      const texts = isObject(value) ? Object.values(value).filter((one) => typeof one === 'string') : [];
      const names = texts.filter((one) => !uuid.test(one)).map((one) => one.toLowerCase());
      for (const id of texts.filter((one) => uuid.test(one))) labels.set(id.toLowerCase(), { names, from });
    }
  return labels;
}

/** The labels of a tenant that the other one's whole lists do not show. */
function labelsOfOne(own: readonly Exchange[], others: readonly Exchange[]): Plants['labels'] {
  if (others.length === 0 || own.some(hasMore) || others.some(hasMore)) return new Map();
  const theirs = labelsIn(others);
  const names = new Set([...theirs.values()].flatMap((one) => one.names));
  const only = [...labelsIn(own)].filter(([id]) => !theirs.has(id));
  return new Map(only.map(([id, one]) => [id, { ...one, names: one.names.filter((name) => !names.has(name)) }]));
}

/** Each text with each instant in the same object. A conversation in a list may be listed to both tenants, so it is no proof of its owner. */
function* datedIn(
  exchange: Exchange,
  {
    isOwners = false,
    isMeant = () => true,
  }: { isOwners?: boolean; isMeant?: (path: readonly (string | number)[]) => boolean } = {},
): Generator<string> {
  for (const [path, value] of valuesOf(jsonOf(exchange))) {
    if (!isObject(value) || !isMeant(path)) continue;
    if (isOwners && typeof path.at(-1) === 'number' && 'friendlyId' in value) continue;
    const leaves = Object.values(value).filter((one) => typeof one === 'string');
    if (leaves.length < 3) continue;
    for (const at of leaves.filter((one) => instant.test(one)))
      for (const text of leaves) if (isLong(text) && !instant.test(text)) yield `${at} ${text}`;
  }
}

const wordsOf = (dated: string) => dated.slice(dated.indexOf(' '));

const writtenIn = (exchange: Exchange) => datedIn(exchange, { isMeant: (path) => path[0] === 'messages' });

/** Values at places that are not within a list. */
function* fieldsIn(exchange: Exchange): Generator<readonly [place: string, value: string]> {
  for (const [path, value] of valuesOf(jsonOf(exchange)))
    if (typeof value === 'string' && value.length >= minName && path.every((step) => typeof step === 'string'))
      yield [`${exchange.operation} ${path.join('.')}`, value];
}

function plantsOf(
  tenant: TargetTenant,
  reads: readonly Exchange[],
  isTheirs: (id: string) => boolean,
  labels: Plants['labels'] = new Map(),
): Plants {
  const named = [
    ...holdersOf(tenant).flatMap(({ holder }) =>
      holder.kind === 'link' ? [holder.clientId, holder.siteId] : [holder.id],
    ),
    ...privatesOf(tenant).map(({ id }) => id),
  ].map((id) => id.toLowerCase());
  const plants: Plants = {
    ids: new Map(named.filter((id) => id.length >= minText && !isTheirs(id)).map((id) => [id, null])),
    dated: new Map(),
    automatic: new Set(),
    texts: new Map(),
    values: new Map(),
    labels,
  };
  const note = <T>(into: Map<T, Exchange>, what: T, from: Exchange) => void (into.has(what) || into.set(what, from));
  /** A message belongs to one conversation. What several show was written to many, perhaps also in other tenants. */
  const toMany = new Set<string>();
  const idsOf = (one: Exchange | undefined) => JSON.stringify(one?.params);
  const written = new Set<string>();
  for (const read of reads) {
    for (const [, value] of valuesOf(jsonOf(read))) {
      if (typeof value !== 'string') continue;
      const id = value.toLowerCase();
      // Sites and clients belong to one tenant. Agents, brands and labels may be shared.
      if (/^ov[ac]id-[0-9a-f-]{36}$/.test(id) && !isTheirs(id) && !plants.ids.has(id)) plants.ids.set(id, read);
      if (isLong(value) && !instant.test(value)) note(plants.texts, value, read);
    }
    for (const pair of datedIn(read, { isOwners: true })) note(plants.dated, pair, read);
    for (const pair of writtenIn(read)) {
      written.add(pair);
      if (idsOf(plants.dated.get(pair)) !== idsOf(read)) toMany.add(pair);
    }
    for (const [place, value] of fieldsIn(read)) {
      const values = plants.values.get(place) ?? new Map<string, Exchange>();
      plants.values.set(place, values);
      note(values, value, read);
    }
  }
  for (const pair of toMany) plants.dated.delete(pair);
  for (const [words, pairs] of Map.groupBy(written, wordsOf)) if (pairs.length > 2) plants.automatic.add(words);
  return plants;
}

/** All leaks between the tenants of a history. */
export function* leaksIn(exchanges: readonly Exchange[], deployment: Deployment): Generator<Leak> {
  const tenants = tenantsOf(deployment);
  if (tenants.length < 2) return;
  const ownReads = (tenant: TargetTenant) =>
    exchanges.filter((exchange) => {
      const asked = caseOf(exchange, deployment);
      if (asked === null || !asked.isRead || !succeeded(exchange) || readerOf(exchange, tenants) !== tenant)
        return false;
      return asked.owner === 'ours' && !asked.isElsewhere && asked.caller === 'valid';
    });
  const reads = new Map(tenants.map((tenant) => [tenant, ownReads(tenant)]));
  const listsOf = (tenant: TargetTenant) =>
    exchanges.filter((exchange) => {
      const asked = exchange.operation === 'listLabels' ? caseOf(exchange, deployment) : null;
      return asked?.caller === 'valid' && succeeded(exchange) && readerOf(exchange, tenants) === tenant;
    });
  const idsNamed = (tenant: TargetTenant) =>
    new Set(
      holdersOf(tenant).flatMap(({ holder }) =>
        holder.kind === 'link'
          ? [holder.clientId.toLowerCase(), holder.siteId.toLowerCase()]
          : [holder.id.toLowerCase()],
      ),
    );
  for (const owner of tenants) {
    const reader = tenants.find((one) => one !== owner);
    if (reader === undefined) continue;
    const theirs = idsNamed(reader);
    const labels = labelsOfOne(listsOf(owner), listsOf(reader));
    const plants = plantsOf(owner, reads.get(owner) ?? [], (id) => theirs.has(id), labels);
    // Both tenants may have labels of one name.
    const own = plantsOf(reader, [...(reads.get(reader) ?? []), ...listsOf(reader)], () => false);
    yield* toOthers(exchanges, deployment, owner, plants, own, alwaysIn(reads.get(reader) ?? []));
    yield* comingAndGoing(reads.get(reader) ?? [], owner.name, plants);
    yield* sameRecord(reads.get(owner) ?? [], reads.get(reader) ?? [], owner.name);
  }
  yield* listedInVain(exchanges, deployment);
  yield* sitesOfOthers(exchanges, tenants);
}

/** Sites in the contexts of a tenant that it cannot read, while the other one can. */
function* sitesOfOthers(exchanges: readonly Exchange[], tenants: readonly TargetTenant[]): Generator<Leak> {
  const reads = Map.groupBy(
    exchanges.filter(({ operation, credential }) => operation === 'getSite' && credential === 'key'),
    ({ params }) => params.id ?? '',
  );
  for (const exchange of exchanges)
    for (const id of sitesShown(exchange)) {
      const reader = readerOf(exchange, tenants);
      const isOwn = (one: Exchange) => readerOf(one, tenants) === reader;
      const all = reads.get(id) ?? [];
      const from = all.find((one) => succeeded(one) && !isOwn(one));
      const own = all.filter(isOwn);
      if (from === undefined || own.some(succeeded) || !own.some(({ status }) => status === 403 || status === 404))
        continue;
      yield { exchange, what: `site ${id}, which only ${readerOf(from, tenants)?.name} can read`, from };
    }
}

/** The dated texts that all replies about a record show. */
function alwaysIn(reads: readonly Exchange[]): ReadonlySet<string> {
  const records = Map.groupBy(reads, ({ operation, params }) => JSON.stringify([operation, params]));
  return new Set(
    [...records.values()].flatMap((replies) => {
      const [first = new Set<string>(), ...more] = replies.map((one) => new Set(datedIn(one)));
      return [...first].filter((pair) => more.length > 0 && more.every((pairs) => pairs.has(pair)));
    }),
  );
}

function* toOthers(
  exchanges: readonly Exchange[],
  deployment: Deployment,
  owner: TargetTenant,
  plants: Plants,
  own: Plants,
  always: ReadonlySet<string>,
): Generator<Leak> {
  const tenants = tenantsOf(deployment);
  const memo = new Map<string, readonly [string, Exchange | null][]>();
  for (const exchange of exchanges) {
    const reader = readerOf(exchange, tenants);
    if (reader === owner || exchange.body === null || exchange.operation === 'storage') continue;
    const asked = caseOf(exchange, deployment);
    // What has no facts puts back what the run has changed.
    const isOwn = asked === null || (asked.owner === 'ours' && asked.caller === 'valid' && succeeded(exchange));
    const text = wholeReply(exchange);
    const key = `${isOwn} ${reader?.name} ${exchange.params.labelId} ${text}`;
    const found = memo.get(key) ?? [...plantsIn(text, exchange, plants, own, isOwn)];
    memo.set(key, found);
    const sent = found.length > 0 ? askedText(exchange) : '';
    const leaks = found.filter(([what]) => !sent.includes(what.toLowerCase()));
    const leak = leaks.find(([what]) => !always.has(what)) ?? leaks[0];
    if (leak === undefined) continue;
    const [what, from] = leak;
    const isOpen = isOwn && always.has(what);
    yield {
      exchange,
      what: `${what.slice(0, 100)} of ${owner.name}`,
      ...(from && { from }),
      ...(isOpen && { isOpen }),
    };
  }
}

function* plantsIn(
  text: string,
  exchange: Exchange,
  plants: Plants,
  own: Plants,
  isOwn: boolean,
): Generator<[string, Exchange | null]> {
  // An id that the readers' own texts quote was written there by somebody.
  for (const [id, from] of plants.ids) if (text.includes(id) && !isQuoted(exchange, id)) yield [id, from ?? null];
  // Labels of which only its own list has the ids.
  const isOfLabels = exchange.params.labelId !== undefined || exchange.operation === 'getConversationContext';
  if (isOwn && isOfLabels) for (const [id, { from }] of plants.labels) if (text.includes(id)) yield [id, from];
  if (isOwn) {
    for (const pair of datedIn(exchange)) {
      const from = plants.dated.get(pair);
      const isAutomatic = [plants, own].some(({ automatic }) => automatic.has(wordsOf(pair)));
      if (from && !isAutomatic) yield [pair, from];
    }
    return;
  }
  const asked = exchange.params.labelId?.toLowerCase();
  for (const [id, { names, from }] of plants.labels) {
    if (text.includes(id)) yield [id, from];
    const name = names.find((one) => one.length >= minName && isAWordIn(one, text));
    if (id === asked && refused(exchange) && name !== undefined) yield [name, from];
  }
  for (const [words, from] of plants.texts)
    if (text.includes(words.toLowerCase()) && !own.texts.has(words)) yield [words, from];
}

/** Whether the id stands only within longer texts, which people write. */
function isQuoted(exchange: Exchange, id: string): boolean {
  if (!succeeded(exchange) || Object.values(exchange.headers).join(' ').toLowerCase().includes(id)) return false;
  const holding = valuesOf(jsonOf(exchange)).filter(([path, value]) =>
    `${path.at(-1)} ${typeof value === 'string' ? value : ''}`.toLowerCase().includes(id),
  );
  return holding.length > 0 && holding.every(([, value]) => typeof value === 'string' && isLong(value));
}

/** A value that one record shows at times in place of its own, which is there before and after, and that a record of the other tenant has at the same place. */
function* comingAndGoing(reads: readonly Exchange[], owner: string, plants: Plants): Generator<Leak> {
  const byRequest = Map.groupBy(reads, ({ operation, params }) => JSON.stringify([operation, params]));
  for (const replies of byRequest.values()) {
    const shown = replies.flatMap((exchange) =>
      [...fieldsIn(exchange)].map(([place, value]) => ({ place, value, exchange })),
    );
    for (const [place, all] of Map.groupBy(shown, (one) => one.place)) {
      const byValue = Map.groupBy(all, (one) => one.value);
      const [usual, usually] = [...byValue].reduce((most, one) => (one[1].length > most[1].length ? one : most));
      // What changes all the time, as in a live conversation, has no value of its own.
      if (usually.length * 2 <= all.length) continue;
      for (const [value, those] of byValue) {
        const from = plants.values.get(place)?.get(value);
        const first = those.find(({ exchange: { n } }) => {
          const isBack = usually.some(({ exchange }) => exchange.n > n);
          return isBack && usually.some(({ exchange }) => exchange.n < n);
        });
        if (value === usual || from === undefined || first === undefined || instant.test(value)) continue;
        const what = `${place.split(' ')[1]} "${value.slice(0, 80)}" of ${owner}, in ${those.length} of ${all.length} replies`;
        yield { exchange: first.exchange, what, from };
      }
    }
  }
}

/** Where both tenants have a record with the same bare id, each must see its own: three texts are not the same by chance. */
function* sameRecord(owners: readonly Exchange[], readers: readonly Exchange[], owner: string): Generator<Leak> {
  const nameOf = ({ operation, params }: Exchange) => JSON.stringify([operation, params]);
  const byRequest = Map.groupBy(owners, nameOf);
  for (const exchange of readers) {
    const from = byRequest.get(nameOf(exchange))?.find(({ body }) => body === exchange.body);
    if (from === undefined) continue;
    const ids = Object.values(exchange.params);
    const details = valuesOf(jsonOf(exchange)).filter(
      ([, value]) => typeof value === 'string' && value.length >= minName && !ids.includes(value),
    );
    if (details.length >= 3) yield { exchange, what: `the same record as ${owner}'s`, from };
  }
}

/** A label that a tenant is shown in its list, but cannot apply, while the other tenant can, is the other tenant's. */
function* listedInVain(exchanges: readonly Exchange[], deployment: Deployment): Generator<Leak> {
  const tenants = tenantsOf(deployment);
  const applied = exchanges.flatMap((exchange) => {
    const asked = caseOf(exchange, deployment);
    const label = exchange.params.labelId?.toLowerCase();
    if (!asked?.isApply || asked.owner !== 'ours' || label === undefined || asked.mutation !== null) return [];
    const others = reasonsOf(asked).filter(({ id }) => !id.startsWith('label'));
    const tenant = readerOf(exchange, tenants)?.name;
    return others.length > 0 || tenant === undefined ? [] : [{ exchange, label, tenant }];
  });
  for (const { label, tenant } of applied.filter(({ exchange }) => refused(exchange))) {
    const isServedTo = (name: string) =>
      applied.some((one) => one.label === label && one.tenant === name && succeeded(one.exchange));
    const owner = tenants.find(({ name }) => name !== tenant && isServedTo(name));
    if (owner === undefined || isServedTo(tenant)) continue;
    const list = exchanges.find(
      (one) =>
        one.operation === 'listLabels' &&
        succeeded(one) &&
        one.key?.startsWith(`${tenant}/`) &&
        one.body?.toLowerCase().includes(label),
    );
    if (list) yield { exchange: list, what: `label ${label} of ${owner.name}, which ${tenant} cannot apply` };
  }
}

/** Private labels in replies. */
export function* privatesIn(exchanges: readonly Exchange[], deployment: Deployment): Generator<Leak> {
  const hidden = tenantsOf(deployment).flatMap(privatesOf);
  if (hidden.length === 0) return;
  const ids = new Set(hidden.map(({ id }) => id.toLowerCase()));
  const names = publicNames(exchanges, ids);
  const memo = new Map<string, readonly string[]>();
  for (const exchange of exchanges) {
    if (exchange.body === null) continue;
    const whole = wholeReply(exchange);
    const found = memo.get(whole) ?? [...hiddenIn(exchange, whole, hidden, names)];
    memo.set(whole, found);
    const sent = found.length > 0 ? askedText(exchange) : '';
    const what = found.find((one) => !sent.includes(one.toLowerCase()));
    if (what) yield { exchange, what: `the private label ${what}` };
  }
}

function* hiddenIn(
  exchange: Exchange,
  whole: string,
  hidden: readonly { readonly id: string; readonly name?: string | undefined }[],
  names: readonly string[],
): Generator<string> {
  for (const { id, name } of hidden) {
    if (whole.includes(id.toLowerCase())) yield id;
    if (name === undefined || name.length < minName || names.includes(name.toLowerCase())) continue;
    if (!whole.includes(name.toLowerCase()) && !whole.includes('\\')) continue;
    const texts = succeeded(exchange) ? [...placesOfNames(exchange)] : [whole];
    // A public name that contains the private one is no private label.
    const without = (text: string) => names.reduce((rest, one) => rest.replaceAll(one, ' '), text.toLowerCase());
    const isShown = (text: string) =>
      isAWordIn(name.toLowerCase(), without(text)) && !(succeeded(exchange) && isProse(without(text), name));
    if ([...texts, ...Object.values(exchange.headers)].some(isShown)) yield name;
  }
}

/** Texts of a reply that no person writes: what stands in messages and subjects may be any word. */
function* placesOfNames(exchange: Exchange): Generator<string> {
  for (const [path, value] of valuesOf(jsonOf(exchange))) {
    if (path.includes('messages') || /subject|text|body|address/i.test(String(path.at(-1)))) continue;
    if (typeof path.at(-1) === 'string') yield String(path.at(-1));
    if (typeof value === 'string') yield value;
  }
}

/** Whether the name stands among words of a sentence, which somebody wrote: in a list there is nothing else. */
const isProse = (text: string, name: string) =>
  text
    .replaceAll(name.toLowerCase(), ' ')
    .split(/[^\p{L}]+/u)
    .filter(Boolean).length >= noChance;

const isAWordIn = (word: string, text: string) =>
  text
    .split(word)
    .some((before, i, parts) => i < parts.length - 1 && !/\w$/.test(before) && !/^\w/.test(parts[i + 1] ?? ''));

/** Names of public labels, as they are listed, the longest first. */
function publicNames(exchanges: readonly Exchange[], hidden: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  for (const list of exchanges.filter((one) => one.operation === 'listLabels' && succeeded(one)))
    for (const [, record] of valuesOf(jsonOf(list))) {
      if (!isObject(record)) continue;
      const values = Object.values(record).filter((one) => typeof one === 'string');
      if (!values.some((one) => hidden.has(one.toLowerCase())))
        for (const one of [record.name, record.title, record.label])
          if (typeof one === 'string') names.add(one.toLowerCase());
    }
  return [...names].sort((a, b) => b.length - a.length);
}
