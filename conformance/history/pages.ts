import { type Exchange, isObject, jsonOf, valuesOf } from './exchange.ts';

/** One way to ask for what follows a page: the query to send, or null where the page says that nothing follows. */
type NextPage = (page: Exchange) => string | null;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Told {
  /** Names that lead there, joined by dots. */
  readonly path: string;
  readonly name: string;
  readonly value: string | number | boolean;
}

/** Properties of a reply outside of the records of its lists. */
function told(reply: Exchange): Told[] {
  return [...valuesOf(jsonOf(reply))].flatMap(([path, value]) => {
    const name = path.at(-1);
    const ofList = typeof name === 'string' && !path.some((step) => typeof step === 'number' || uuid.test(step));
    const says = (typeof value === 'string' && value !== '') || typeof value === 'number' || value === true;
    return ofList && says ? [{ path: path.join('.'), name, value }] : [];
  });
}

/** How many records the longest list of a reply has, which may be an object by id. */
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

/** Whether a reply says of itself that it is not all there is. */
export function hasMore(reply: Exchange): boolean {
  if (/rel="?next/i.test(reply.headers.link ?? '')) return true;
  const length = lengthOf(reply);
  return told(reply).some(({ path, name, value }) =>
    typeof value === 'number'
      ? /pages$/i.test(name)
        ? value > 1
        : /offset|skip|next/i.test(path) || (/total|count/i.test(name) && value > length)
      : /next|more|contin|cursor|offset/i.test(path),
  );
}

/** The query of a link to another page of the same list. */
function queryOf(link: string, { url }: Exchange): string | null {
  if (!/^(https?:\/\/|\/|\?)/i.test(link) || !URL.canParse(link, url)) return null;
  const { search, pathname } = new URL(link, url);
  return pathname === new URL(url).pathname && search !== '' && search !== new URL(url).search ? search : null;
}

const query = (name: string, value: string | number | boolean) => `?${name}=${encodeURIComponent(value)}`;

/** Ways in which the first page of a list may lead to the others, the likeliest first. */
export function waysToNextPage(first: Exchange): NextPage[] {
  const linked: NextPage = (page) => {
    const header = /<([^>]+)>\s*;[^,]*rel="?next/i.exec(page.headers.link ?? '')?.[1];
    const links = told(page).flatMap(({ path, value }) => (/next|more|contin/i.test(path) ? [String(value)] : []));
    return [...(header === undefined ? [] : [header]), ...links].reduce<string | null>(
      (found, link) => found ?? queryOf(link, page),
      null,
    );
  };
  const ways: NextPage[] = [linked];
  for (const { path, name, value } of told(first)) {
    const now = (page: Exchange) => told(page).find((one) => one.path === path)?.value;
    if (typeof value === 'string' && queryOf(value, first) === null) {
      // `nextCursor` is mostly asked for as `cursor`; a name that is like nothing, as it is told.
      const bare = name.replace(/^next_?(.)/i, (_, letter: string) => letter.toLowerCase());
      for (const parameter of new Set([
        bare,
        name,
        ...(/next|cursor|token/i.test(name) ? ['cursor', 'after', 'pageToken', 'page'] : []),
      ]))
        ways.push((page) => {
          const token = now(page);
          return token === undefined ? null : query(parameter, token);
        });
    }
    if (typeof value !== 'number') continue;
    if (/offset|skip|start/i.test(name)) ways.push((page) => query(name, Number(now(page) ?? 0) + lengthOf(page)));
    if (/^(current_?)?page(_?(number|no|index))?$/i.test(name))
      for (const parameter of new Set(['page', name]))
        ways.push((page) => query(parameter, Number(now(page) ?? 0) + 1));
    if (/^next_?(page|offset)/i.test(name))
      ways.push((page) => {
        const next = now(page);
        return next === undefined ? null : query(/page/i.test(name) ? 'page' : 'offset', next);
      });
  }
  return ways;
}
