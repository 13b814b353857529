import { expect, test } from 'vitest';
import type { Exchange } from './exchange.ts';
import { hasMore, nextQueries } from './pages.ts';

const list = [{ id: '1abe1001-0000-4000-8000-000000000001' }, { id: '1abe1002-0000-4000-8000-000000000002' }];
const page = (json: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ({ url: 'https://x.example/v1/labels', headers, body: JSON.stringify(json) }) as Exchange;

const queries = (first: Exchange) => nextQueries(first).map(([, query]) => query);

test.each<[what: string, first: Exchange, query: string]>([
  ['a Link header', page(list, { link: '</v1/labels?from=2>; rel="next"' }), '?from=2'],
  ['a link', page({ list, links: { self: '/v1/labels', next: 'https://x.example/v1/labels?after=b' } }), '?after=b'],
  ['a cursor', page({ list, nextCursor: 'a/b' }), '?cursor=a%2Fb'],
  ['a token of any name', page({ list, beyond: 'b' }), '?beyond=b'],
  ['an offset', page({ list, offset: 2, limit: 2, total: 9 }), '?offset=4'],
  ['a page number', page({ list, meta: { page: 1, pages: 3 } }), '?page=2'],
  ['a number for the next page', page({ list, nextPage: 4 }), '?page=4'],
  ['the last id', page({ has_more: true, data: list }), `?starting_after=${list[1]?.id}`],
  ['a number from 0', page({ content: list, number: 0, totalPages: 3 }), '?page=1'],
  ['a number that is next', page({ list, next: 2 }), '?page=2'],
])('%s leads to the next page', (_, first, query) => {
  expect(queries(first)).toContain(query);
});

test.each([[{ list, total: 9 }], [{ list, hasMore: true }], [{ list, next_page: 2 }], [{ list, meta: { pages: 2 } }]])(
  '%j says that there is more',
  (json) => {
    expect(hasMore(page(json))).toBe(true);
  },
);

test.each([[list], [{ list, total: 2, version: '1' }], [{ list, next: null, hasMore: false }], [{ labels: {} }]])(
  '%j says nothing of the kind',
  (json) => {
    expect(hasMore(page(json))).toBe(false);
  },
);
