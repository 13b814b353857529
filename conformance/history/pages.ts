import { uuid } from '../../spec/text/uuid.ts';
import { perObject } from '../per-object.ts';
import { type Exchange, isObject, jsonOf, valuesOf } from './exchange.ts';

/** The query for the page after this one, or null where the page says that it is the last. */
type NextPage = (page: Exchange) => string | null;

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
  return [...valuesOf(jsonOf(reply))].flatMap(([path, value]) => {
    const name = path.at(-1);
    const outsideRecords =
      typeof name === 'string' && !path.some((step) => typeof step === 'number' || uuid.test(step));
    const isSet = (typeof value === 'string' && value !== '') || typeof value === 'number' || value === true;
    return outsideRecords && isSet ? [{ path: path.join('.'), name, value }] : [];
  });
}

/** The length of the longest list of a reply. A list may be an array or an object by id. */
function lengthOf(reply: Exchange): number {
  const lengths = [...valuesOf(jsonOf(reply))].map(([, value]) =>
    Array.isArray(value)
      ? value.length
      : isObject(value)
        ? Object.keys(value).filter((name) => uuid.test(name)).length
        : 0,
  );
  return lengths.reduce((longest, length) => Math.max(longest, length), 0);
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

const query = (name: string, value: string | number | boolean) => `?${name}=${encodeURIComponent(value)}`;

/** Ways in which the first page of a list may lead to the next, the likeliest first. */
export function waysToNextPage(first: Exchange): NextPage[] {
  const linked: NextPage = (page) => {
    const header = /<([^>]+)>\s*;[^,]*rel="?next/i.exec(page.headers.link ?? '')?.[1];
    const links = pageFields(page).flatMap(({ path, value }) =>
      /next|more|contin/i.test(path) ? [String(value)] : [],
    );
    return [...(header === undefined ? [] : [header]), ...links].reduce<string | null>(
      (found, link) => found ?? queryOf(link, page),
      null,
    );
  };
  const ways: NextPage[] = [linked];
  for (const { path, name, value } of pageFields(first)) {
    /** Sends what follows from the value of this field. */
    const send = (
      parameter: string,
      next: (value: PageField['value'], page: Exchange) => PageField['value'] | undefined,
    ) =>
      ways.push((page) => {
        const now = pageFields(page).find((field) => field.path === path)?.value;
        const following = now === undefined ? undefined : next(now, page);
        return following === undefined ? null : query(parameter, following);
      });
    if (typeof value === 'string' && queryOf(value, first) === null) {
      // The value of `nextCursor` is usually sent as `cursor`, or else under the same name.
      const bare = name.replace(/^next_?(.)/i, (_, letter: string) => letter.toLowerCase());
      const usual = /next|cursor|token/i.test(name) ? ['cursor', 'after', 'pageToken', 'page'] : [];
      for (const parameter of new Set([bare, name, ...usual])) send(parameter, (token) => token);
    }
    // `has_more`: the last id leads on.
    if (value === true) send('starting_after', (_, page) => lastId(page));
    if (typeof value !== 'number') continue;
    if (/offset|skip|start/i.test(name)) send(name, (from, page) => Number(from) + lengthOf(page));
    if (/^(current_?)?page(_?(number|no|index))?$/i.test(name))
      for (const parameter of new Set(['page', name])) send(parameter, (page) => Number(page) + 1);
    if (/^next_?(page|offset)/i.test(name)) send(/page/i.test(name) ? 'page' : 'offset', (next) => next);
  }
  return ways;
}

const lastId = (page: Exchange): string | undefined =>
  valuesOf(jsonOf(page))
    .flatMap(([place, one]) => (place.at(-1) === 'id' && typeof one === 'string' ? [one] : []))
    .at(-1);
