import type { Exchange } from '../../history/exchange.ts';
import { perObject } from '../../per-object.ts';
import { instant, leavesOf, membersOf, replyOf, stringsOf, textsOf } from '../judging/reply-parts.ts';
import type { TenantData } from './tenant-data.ts';

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
export function ownerTextsIn(exchange: Exchange, data: TenantData): ReadonlySet<string> {
  const find = finderOf(data);
  const sets = ownerTexts(data);
  const reply = replyOf(exchange);
  const texts = sets.get(reply) ?? new Set(textsOf(exchange).flatMap(find));
  sets.set(reply, texts);
  const inHeaders = Object.values(exchange.headers).flatMap(find);
  return inHeaders.length > 0 ? new Set([...texts, ...inHeaders]) : texts;
}

/** The texts of an owner that another tenant uses as well. */
const reusedTexts = perObject((_: TenantData) => new WeakMap<object, ReadonlySet<string>>());

/** The texts of the owner that are in messages of the reader's own, which have no instant of the owner's: agents write from templates. */
export function reusedTextsIn(exchange: Exchange, owner: TenantData, reader: TenantData): ReadonlySet<string> {
  const reply = replyOf(exchange);
  const sets = reusedTexts(owner);
  const reused = sets.get(reply) ?? findReused(exchange, owner, reader);
  sets.set(reply, reused);
  return reused;
}

function findReused(exchange: Exchange, owner: TenantData, reader: TenantData): ReadonlySet<string> {
  const find = finderOf(owner);
  const inMessages = [...membersOf(exchange)].flatMap((message) => {
    const leaves = leavesOf(message);
    const instants = leaves.filter((one) => instant.test(one));
    const isKept = reader.members.has(message) || reader.arrived.has(message);
    return isKept
      ? leaves.flatMap(find).filter((text) => !instants.some((at) => owner.dated.has(`${at} ${text}`)))
      : [];
  });
  const everywhere = Map.groupBy(stringsOf(exchange).flatMap(find), (text) => text);
  const counts = Map.groupBy(inMessages, (text) => text);
  return new Set([...counts].flatMap(([text, { length }]) => (everywhere.get(text)?.length === length ? [text] : [])));
}
