/** The list of labels page by page: how to ask for the next page is open, so the first way that shows new labels is used. */
import { uuid } from '../../spec/text/uuid.ts';
import { type Change, open } from '../contract/request.ts';
import { type Exchange, jsonOf, succeeded, valuesOf } from '../history/exchange.ts';
import { hasMore, nextPageId, nextQueries } from '../history/pages.ts';

/** A list that repeats no label may have no end. */
const maxPages = 500;
/** The number of ways to ask for a second page that are tried. */
const maxWays = 8;

/** UUIDs in arrays of a reply, or as names of properties. */
const idsIn = (reply: Exchange): string[] =>
  valuesOf(jsonOf(reply)).flatMap(([path, value]) =>
    (typeof value === 'string' && path.some((step) => typeof step === 'number') ? [value, ...path] : path).flatMap(
      (one) => (typeof one === 'string' && uuid.test(one) ? [one.toLowerCase()] : []),
    ),
  );

/**
 * @param list asks for the list, as it is or with a change
 * @param expected ids of labels that are in the list
 */
export async function allLabels(
  list: (change?: Change) => Promise<Exchange>,
  expected: readonly string[],
): Promise<void> {
  const first = await list();
  const seen = new Set(idsIn(first));
  const lacks = expected.some((id) => !seen.has(id.toLowerCase()));
  if (!succeeded(first) || !(lacks || hasMore(first))) return;
  for (const [way] of nextQueries(first).slice(0, maxWays)) {
    let page = first;
    for (let count = 1; count < maxPages; count++) {
      const query = new Map(nextQueries(page)).get(way);
      if (query === undefined) break;
      const following = await list(open(nextPageId, { query }));
      const ids = idsIn(following);
      if (ids.every((id) => seen.has(id))) break;
      for (const id of ids) seen.add(id);
      page = following;
    }
    if (page !== first) return;
  }
}
