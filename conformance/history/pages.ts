import { uuid } from '../../spec/text/uuid.ts';
import { perObject } from '../per-object.ts';
import { type Exchange, isObject, jsonOf, valuesOf } from './exchange.ts';

/** The mutation that asks for another page of a list. */
export const nextPageId = 'another page';

interface PageField {
  /** Names of properties, joined by dots. */
  readonly path: string;
  readonly name: string;
  readonly value: string | number | boolean;
}

/** Fields of a reply about its pages: strings, numbers and `true` outside of the records of its lists. */
function pageFields(reply: Exchange): PageField[] {
  return valuesOf(jsonOf(reply)).flatMap(([path, value]) => {
    const name = path.at(-1);
    const outsideRecords =
      typeof name === 'string' && !path.some((step) => typeof step === 'number' || uuid.test(step));
    const isSet = (typeof value === 'string' && value !== '') || typeof value === 'number' || value === true;
    return outsideRecords && isSet ? [{ path: path.join('.'), name, value }] : [];
  });
}

/** The length of the longest list of a reply. A list may be an array or an object by id. */
function lengthOf(reply: Exchange): number {
  const lengths = valuesOf(jsonOf(reply)).map(([, value]) => {
    if (Array.isArray(value)) return value.length;
    return isObject(value) ? Object.keys(value).filter((name) => uuid.test(name)).length : 0;
  });
  return Math.max(0, ...lengths);
}

/** Whether a reply says that there are more pages. */
export const hasMore = perObject((reply: Exchange): boolean => {
  if (/rel="?next/i.test(reply.headers.link ?? '')) return true;
  const length = lengthOf(reply);
  return pageFields(reply).some(({ path, name, value }) =>
    typeof value === 'number'
      ? /pages$/i.test(name)
        ? value > 1
        : /offset|skip|next/i.test(path) || (/total|count/i.test(name) && value > length)
      : /next|more|contin|cursor|offset/i.test(path),
  );
});

/** The query of a link to another page of the same list. */
function queryOf(link: string, { url }: Exchange): string | null {
  if (!/^(https?:\/\/|\/|\?)/i.test(link) || !URL.canParse(link, url)) return null;
  const { search, pathname } = new URL(link, url);
  return pathname === new URL(url).pathname && search !== '' && search !== new URL(url).search ? search : null;
}

/** Queries that may lead to the page after this one, each with what it goes by, the likeliest first. */
export function nextQueries(page: Exchange): readonly (readonly [way: string, query: string])[] {
  const fields = pageFields(page);
  const header = /<([^>]+)>\s*;[^,]*rel="?next/i.exec(page.headers.link ?? '')?.[1];
  const links = fields.flatMap(({ path, value }) => (/next|more|contin/i.test(path) ? [String(value)] : []));
  return [
    ...[header ?? [], ...links]
      .flat()
      .flatMap((link) => queryOf(link, page) ?? [])
      .slice(0, 1)
      .map((query) => ['a link', query] as const),
    ...fields.flatMap((field) => {
      const [names, value] = followingFrom(field, page);
      return [...new Set(names)].map(
        (name) => [`${field.path} as ${name}`, `?${name}=${encodeURIComponent(value)}`] as const,
      );
    }),
  ];
}

const lastIdIn = (page: Exchange): string =>
  String(valuesOf(jsonOf(page)).findLast(([, value]) => typeof value === 'string' && uuid.test(value))?.[1] ?? '');

/** What to send for the next page, and under which names. */
function followingFrom({ name, value }: PageField, page: Exchange): readonly [names: string[], value: string | number] {
  if (typeof value === 'string') {
    // The value of `nextCursor` is usually sent as `cursor`, or else under the same name.
    const bare = name.replace(/^next_?(.)/i, (_, letter: string) => letter.toLowerCase());
    const usual = /next|cursor|token/i.test(name) ? ['cursor', 'after', 'pageToken', 'page'] : [];
    return [queryOf(value, page) === null ? [bare, name, ...usual] : [], value];
  }
  if (/offset|skip|start/i.test(name)) return [[name], Number(value) + lengthOf(page)];
  if (/^(current_?)?page(_?(number|no|index))?$|^number$/i.test(name)) return [['page', name], Number(value) + 1];
  if (value === true && /more/i.test(name)) return [['starting_after', 'after'], lastIdIn(page)];
  if (/^next$/i.test(name)) return [['page', 'offset', 'cursor', name], Number(value)];
  return [/^next_?(page|offset)/i.test(name) ? [/page/i.test(name) ? 'page' : 'offset'] : [], Number(value)];
}
