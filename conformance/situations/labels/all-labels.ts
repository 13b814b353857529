import { uuid } from '../../../spec/text/uuid.ts';
import type { Scene } from '../../experiments/scene.ts';
import { type Exchange, jsonOf, succeeded, valuesOf } from '../../history/exchange.ts';
import { hasMore, waysToNextPage } from '../../history/pages.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import type { NamedLabel } from '../../target/records.ts';

/** A list that repeats no label may have no end. */
const maxPages = 500;
/** The number of ways to ask for a second page that are tried. */
const maxWays = 8;

/** UUIDs in arrays of a reply, or as names of properties. */
const idsIn = (reply: Exchange): string[] =>
  [...valuesOf(jsonOf(reply))].flatMap(([path, value]) =>
    (typeof value === 'string' && path.some((step) => typeof step === 'number') ? [value, ...path] : path).flatMap(
      (one) => (typeof one === 'string' && uuid.test(one) ? [one.toLowerCase()] : []),
    ),
  );

/** Lists the labels page by page. The first way to ask for the next page that shows new labels is used. */
export async function allLabels({ send }: Pick<Scene, 'send'>, key: KeyOfTenant, expected: readonly NamedLabel[]) {
  const first = await send({ operation: 'listLabels', key });
  const seen = new Set(idsIn(first));
  const lacks = expected.some(({ id }) => !seen.has(id.toLowerCase()));
  if (!succeeded(first) || !(lacks || hasMore(first))) return;
  for (const next of waysToNextPage(first).slice(0, maxWays)) {
    let page = first;
    for (let count = 1; count < maxPages; count++) {
      const query = next(page);
      if (query === null) break;
      const following = await send({ operation: 'listLabels', key, query, twist: 'query/next-page' });
      const ids = idsIn(following);
      if (ids.every((id) => seen.has(id))) break;
      for (const id of ids) seen.add(id);
      page = following;
    }
    if (page !== first) return;
  }
}
