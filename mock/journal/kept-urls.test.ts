import { expect, it } from 'vitest';
import { createKeptUrls } from './kept-urls.ts';

it('returns every URL unchanged, however many there are and however long they are', () => {
  const kept = createKeptUrls();
  const urls = Array.from({ length: 3_000 }, (_, i) => `/v1/site/${i}${'x'.repeat(i % 300)}`);
  for (const round of [1, 2])
    expect(
      urls.map((url) => kept(url, (text) => text)),
      `round ${round}`,
    ).toEqual(urls);
});
