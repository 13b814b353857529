import { expect, test } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import { allLabels } from './all-labels.ts';

const idOf = (n: number) => `1abe1001-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** How often a list is asked for whose pages of 20 labels name a next page, until this number of labels. */
async function asksFor(all: number, labelAt: (n: number) => number = (n) => n): Promise<number> {
  let asks = 0;
  await allLabels(
    async (change) => {
      asks++;
      const query = change?.change.query ?? '';
      const from = Number(query.slice('?from='.length));
      const labels = Array.from({ length: Math.min(20, all - from) }, (_, i) => ({ id: idOf(labelAt(from + i)) }));
      const next = from + 20 < all ? `/v1/labels?from=${from + 20}` : null;
      const url = `https://x.example/v1/labels${query}`;
      return { status: 200, url, headers: {}, body: JSON.stringify({ labels, next }) } as unknown as Exchange;
    },
    [idOf(1_999)],
  );
  return asks;
}

test('a list of 2,000 labels in pages of 20 is read to its end', async () => {
  expect(await asksFor(2_000)).toBe(100);
});

test('a list without end is read for 500 pages, and one that repeats itself until it does', async () => {
  expect(await asksFor(Number.POSITIVE_INFINITY)).toBe(500);
  expect(await asksFor(Number.POSITIVE_INFINITY, (n) => n % 100)).toBe(6);
});
