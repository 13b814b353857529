import { expect, test } from 'vitest';
import { sentenceOf } from './judge-row.ts';
import { rows } from './limiters.ts';
import { networks } from './simulation/networks.ts';

// More seeds: npm run limits:table.
test.each(rows.map((row) => [row.does, row] as const))('%s', (_, row) => {
  expect(sentenceOf(row, networks['0 ms'], 1)).toMatch(row.says);
  expect(sentenceOf(row, networks['80 ms'], 2)).toMatch(row.says);
});

test('there are at least forty of them, no two alike', () => {
  expect(new Set(rows.map(({ does }) => does)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(40);
});
