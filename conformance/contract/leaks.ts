/**
 * Data of a tenant in a reply to anybody else. What counts is what only that tenant has: ids of its records and labels, messages of one of its
 * conversations, and long texts where the reader's own record is not shown. Words that two people may write by chance are no evidence.
 */
import type { TargetTenant } from '../../spec/files/target.ts';
import { uuid } from '../../spec/text/uuid.ts';
import { type Exchange, isObject, jsonOf, objectIn, refused, succeeded, valuesOf } from '../history/exchange.ts';
import { hasMore } from '../history/pages.ts';
import { minName, minText, noChance } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';
import { holdersOf, privatesOf, sparesOf, tenantsOf } from '../target/records.ts';
import { caseOf } from './case.ts';

/** Something in a reply that must not be there. */
export interface Leak {
  readonly exchange: Exchange;
  readonly what: string;
  /** A reply to the owner that shows the same. */
  readonly from?: Exchange;
  /** Every reply about a record of the reader shows it, so that both tenants may have it. */
  readonly isOpen?: true;
}

/** The texts of a reply, in lower case. */
export const wholeReply = ({ body, headers }: Exchange): string =>
  `${body ?? ''}\n${Object.values(headers).join('\n')}`.toLowerCase();

/** The texts of a request, in lower case: what is sent may come back. */
export const askedText = ({ url, requestBody, requestHeaders }: Exchange): string =>
  decoded(`${url} ${requestBody ?? ''} ${Object.values(requestHeaders).join(' ')}`).toLowerCase();

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const isAWordIn = (word: string, text: string): boolean =>
  text
    .split(word)
    .some((before, i, parts) => i < parts.length - 1 && !/\w$/.test(before) && !/^\w/.test(parts[i + 1] ?? ''));

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const isLong = (text: string) =>
  text.length >= minText && text.trim().split(/\s+/).length >= noChance && !instant.test(text);

/** The tenant whose key was sent, in whatever way; null where none was. */
const readerOf = ({ key }: Exchange, tenants: readonly TargetTenant[]) =>
  tenants.find(({ name }) => key?.startsWith(`${name}/`)) ?? null;

/** The ids of records that the target file names. */
const idsNamed = (tenant: TargetTenant): string[] =>
  holdersOf(tenant)
    .flatMap(({ holder }) => (holder.kind === 'link' ? [holder.clientId, holder.siteId] : [holder.id]))
    .map((id) => id.toLowerCase());

const isList = ({ operation }: Exchange) => operation === 'listLabels';

/** Lawful reads of a tenant's own records and labels that were served. */
const readsOf = (exchanges: readonly Exchange[], tenant: TargetTenant, deployment: Deployment): Exchange[] =>
  exchanges.filter((exchange) => {
    if (!succeeded(exchange) || readerOf(exchange, tenantsOf(deployment)) !== tenant) return false;
    const asked = caseOf(exchange, deployment);
    const isOurs = asked?.owner === 'ours' || isList(exchange);
    return asked?.isRead && isOurs && !asked.isElsewhere && asked.caller === 'valid';
  });

/** The labels that all lists of a tenant show together. */
function labelsIn(lists: readonly Exchange[]) {
  const labels = new Map<string, { readonly names: readonly string[]; readonly from: Exchange }>();
  for (const from of lists)
    for (const [, value] of valuesOf(jsonOf(from))) {
      const texts = isObject(value) ? Object.values(value).filter((one) => typeof one === 'string') : [];
      const names = texts.filter((one) => !uuid.test(one)).map((one) => one.toLowerCase());
      for (const id of texts.filter((one) => uuid.test(one))) labels.set(id.toLowerCase(), { names, from });
    }
  return labels;
}

/** The labels that a tenant puts on its records, and that others, who may be told of them, do not have: in a catalogue of both, both could. */
function* putByOne(exchanges: readonly Exchange[], { name }: TargetTenant): Generator<[string, Exchange]> {
  const isIts = ({ key }: Exchange) => key?.startsWith(`${name}/`);
  for (const [id, all] of Map.groupBy(exchanges, ({ params }) => params.labelId?.toLowerCase() ?? '')) {
    const tried = all.filter(({ facts: f }) => f?.operation.startsWith('apply') && f.owner === 'ours' && !f.mutation);
    const [put, unknown] = [tried.filter(succeeded), tried.filter(({ status }) => status === 404)];
    if (put[0] && unknown[0] && put.every(isIts) && !unknown.some(isIts)) yield [id, put[0]];
  }
}

/** The labels of a tenant that the other one's whole lists do not show. */
function labelsOfOne(own: readonly Exchange[], others: readonly Exchange[]): ReturnType<typeof labelsIn> {
  if (others.length === 0 || own.some(hasMore) || others.some(hasMore)) return new Map();
  const theirs = labelsIn(others);
  const names = new Set([...theirs.values()].flatMap((one) => one.names));
  const only = [...labelsIn(own)].filter(([id]) => !theirs.has(id));
  return new Map(only.map(([id, one]) => [id, { ...one, names: one.names.filter((name) => !names.has(name)) }]));
}

/**
 * What people and programs have written: a long text, when and by whom, in one object, such as a message of a context. Outside of messages a number in
 * place of the author, as in a copy of a record: two tenants may have had the same words at the same time, but not with the same number. And people, who are never `at` a time.
 */
function* writingsIn(exchange: Exchange) {
  for (const [path, value] of valuesOf(jsonOf(exchange))) {
    if (!isObject(value)) continue;
    const isMessage = path[0] === 'messages';
    const of = Object.values(value).filter((one) => typeof one === 'string');
    if (path[0] === 'participants' && of.some((one) => /@|\d{5}/.test(one)))
      yield { at: '', text: '', of, isMessage, isWhole: false, words: of.join(' ') };
    const beside = isMessage
      ? [String(value.author ?? '')]
      : of.filter((one) => /^\S*\d\S*$/.test(one) && !instant.test(one));
    for (const at of of.filter((one) => instant.test(one)))
      for (const text of of.filter(isLong))
        for (const one of beside)
          yield { at, text, of, isMessage, isWhole: path.length === 0, words: `${at} ${text} ${one}`.trim() };
  }
}

const messagesIn = (exchange: Exchange) => [...writingsIn(exchange)].filter(({ isMessage }) => isMessage);

/** Messages of one conversation, written once. What several show, or comes again, was written to many or by a machine, perhaps also in other tenants. */
function messagesOf(reads: readonly Exchange[]): Map<string, Exchange> {
  const written = reads.flatMap((from) => messagesIn(from).map((one) => ({ ...one, from })));
  const messages = new Map<string, Exchange>();
  for (const those of Map.groupBy(written, ({ text }) => text).values())
    if (new Set(those.map(({ from, of }) => `${from.params.id} ${of.join()}`)).size === 1)
      for (const { words, from } of those) messages.set(words, from);
  return messages;
}

/** The messages and people that all replies about a record show, or other texts. */
function alwaysIn(
  reads: readonly Exchange[],
  textsOf = (one: Exchange) => [...writingsIn(one)].flatMap((of) => (of.isMessage || of.at === '' ? of.words : [])),
): ReadonlySet<string> {
  const records = Map.groupBy(reads, ({ operation, params }) => `${operation} ${params.id}`);
  return new Set(
    [...records.values()].flatMap((replies) => {
      const [first = new Set<string>(), ...more] = replies.map((one) => new Set(textsOf(one)));
      return [...first].filter((one) => more.length > 0 && more.every((messages) => messages.has(one)));
    }),
  );
}

/** What a tenant has, by the target file and by its own reads, each with a reply that shows it. */
function ownedBy(
  tenant: TargetTenant,
  reads: readonly Exchange[],
  others: readonly Exchange[],
  theirs: ReadonlySet<string>,
) {
  const named = [...idsNamed(tenant), ...privatesOf(tenant).map(({ id }) => id.toLowerCase())];
  const ids = new Map<string, Exchange | null>(
    named.filter((id) => id.length >= minText && !theirs.has(id)).map((id) => [id, null]),
  );
  const texts = new Map<string, Exchange>();
  const records = reads.filter((one) => !isList(one));
  for (const from of records)
    for (const [path, value] of valuesOf(jsonOf(from))) {
      if (typeof value !== 'string') continue;
      const id = value.toLowerCase();
      // Sites and clients belong to one tenant. Agents, brands and labels may be shared.
      if (/^ov[ac]id-[0-9a-f-]{36}$/.test(id) && !theirs.has(id) && !ids.has(id)) ids.set(id, from);
      const isClient = path.includes('clients') || from.operation === 'getClient';
      const isName = isClient && path.at(-1) === 'name' && value.length >= minName && value.includes(' ');
      if ((isLong(value) || isName) && !texts.has(value)) texts.set(value, from);
    }
  const labels = labelsOfOne(reads.filter(isList), others.filter(isList));
  // Both tenants may have been made from one template, each with records of its own.
  const longOf = (one: Exchange) => Object.values(objectIn(one)).map(String).filter(isLong);
  const template = alwaysIn(others, longOf);
  const written = messagesOf(records);
  // Somebody may be a client of both tenants, and then mostly asks or writes to both.
  const textsOf = (one: Exchange) =>
    valuesOf(jsonOf(one)).flatMap(([[at], value]) => (at === 'participants' ? [] : value));
  const [here, there] = [records, others].map((some) => new Set(some.flatMap(textsOf)));
  const isOfOne = (text: string) => text.length >= minName && here?.has(text) && !there?.has(text);
  for (const from of records)
    for (const { at, of, isMessage, words } of writingsIn(from))
      if (!isMessage && (at === '' ? of.some(isOfOne) : !of.some((one) => template.has(one)))) written.set(words, from);
  // Who names a spare label tells of the run, in each tenant alike.
  const spares = sparesOf(tenant).flatMap(({ id, name = id }) => [id, name].map((one) => one.toLowerCase()));
  for (const words of [...written.keys()])
    if (spares.some((spare) => isAWordIn(spare, words.toLowerCase()))) written.delete(words);
  return { ids, texts, labels, written };
}

/** All leaks between the tenants of a history. */
export function* leaksIn(exchanges: readonly Exchange[], deployment: Deployment): Generator<Leak> {
  const tenants = tenantsOf(deployment);
  for (const owner of tenants) {
    const reader = tenants.find((one) => one !== owner);
    if (reader === undefined) return;
    const [own, theirs] = [owner, reader].map((one) => readsOf(exchanges, one, deployment)) as [Exchange[], Exchange[]];
    const owned = ownedBy(owner, own, theirs, new Set(idsNamed(reader)));
    for (const [id, from] of putByOne(exchanges, owner)) owned.labels.set(id, { names: [], from });
    const readersTexts = new Set(theirs.flatMap((one) => valuesOf(jsonOf(one)).map(([, value]) => value)));
    const always = alwaysIn(theirs);
    const memo = new Map<string, readonly (readonly [string, Exchange | null])[]>();
    for (const exchange of exchanges) {
      if (readerOf(exchange, tenants) === owner || exchange.body === null || exchange.operation === 'storage') continue;
      const asked = caseOf(exchange, deployment);
      // What has no facts puts back what the run has changed.
      const isOwn = asked === null || (asked.owner === 'ours' && asked.caller === 'valid' && succeeded(exchange));
      const key = `${isOwn} ${exchange.params.labelId} ${wholeReply(exchange)}`;
      const found = memo.get(key) ?? [...ownedIn(exchange, owned, isOwn, readersTexts)];
      memo.set(key, found);
      const sent = found.length > 0 ? askedText(exchange) : '';
      const leaks = found.filter(([one]) => !sent.includes(one.toLowerCase()));
      const [what, from] = leaks.find(([one]) => !isOwn || !always.has(one)) ?? leaks[0] ?? [];
      if (what === undefined) continue;
      const words = `${what.slice(0, 100)} of ${owner.name}`;
      yield { exchange, what: words, ...(from && { from }), ...(isOwn && always.has(what) && { isOpen: true }) };
    }
  }
}

/** @param isOwn whether the reply shows the reader's own record, in which people may have written anything @param seen texts of the reader's own reads */
function* ownedIn(
  exchange: Exchange,
  { ids, texts, labels, written }: ReturnType<typeof ownedBy>,
  isOwn: boolean,
  seen: ReadonlySet<unknown>,
): Generator<readonly [string, Exchange | null]> {
  const whole = wholeReply(exchange);
  for (const [id, from] of ids) if (whole.includes(id) && !isQuoted(exchange, id)) yield [id, from];
  // A context and the reply to a write show labels.
  const hasLabels = exchange.params.labelId !== undefined || exchange.operation === 'getConversationContext';
  if (isOwn) {
    if (hasLabels) for (const [id, { from }] of labels) if (whole.includes(id)) yield [id, from];
    for (const { words, isWhole } of writingsIn(exchange)) {
      const from = isWhole ? undefined : written.get(words);
      if (from) yield [words, from];
    }
    return;
  }
  const asked = exchange.params.labelId?.toLowerCase();
  for (const [id, { names, from }] of labels) {
    if (whole.includes(id)) yield [id, from];
    const name = names.find((one) => one.length >= minName && isAWordIn(one, whole));
    if (id === asked && refused(exchange) && name !== undefined) yield [name, from];
  }
  for (const [text, from] of texts) if (whole.includes(text.toLowerCase()) && !seen.has(text)) yield [text, from];
}

/** Whether the id stands only within longer texts, which people write. */
function isQuoted(exchange: Exchange, id: string): boolean {
  if (!succeeded(exchange) || Object.values(exchange.headers).join(' ').toLowerCase().includes(id)) return false;
  const holding = valuesOf(jsonOf(exchange)).filter(([path, value]) =>
    `${path.at(-1)} ${typeof value === 'string' ? value : ''}`.toLowerCase().includes(id),
  );
  return holding.length > 0 && holding.every(([, value]) => typeof value === 'string' && isLong(value));
}
