import { expect, test } from 'vitest';
import { rows, sentenceOf } from './limiters.ts';
import { networks } from './simulate.ts';

test.each(rows.map((row) => [row.does, row] as const))('%s', (_, row) => {
  expect(sentenceOf(row, networks['0 ms'], 1)).toMatch(row.says);
  expect(sentenceOf(row, networks['80 ms'], 2)).toMatch(row.says);
});

test('there are at least forty of them, no two alike', () => {
  expect(new Set(rows.map(({ does }) => does)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(40);
});

/** The limiters that are buckets, and the one in which throttled requests take tokens too. */
const buckets = rows.filter(({ does }) =>
  /^(bucket of|clock|one token|\d+ rps|burst|throttled requests take)/.test(does),
);

test('under heavy jitter or with stragglers, no bucket looks like another limiter, and no correct one too strict', () => {
  const wrong: string[] = [];
  for (const row of buckets) {
    for (const name of ['400 ms, heavy jitter', 'one in fifty 2 s late'] as const) {
      for (let seed = 1; seed <= 3; seed += 1) {
        const sentence = sentenceOf(row, networks[name], seed);
        const takes = /^throttled/.test(row.does);
        const right = takes ? row.says.test(sentence) : !/starts empty|take tokens|has a limit/.test(sentence);
        if (!right) wrong.push(`${row.does}, ${name}, ${seed}: ${sentence}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(buckets.length).toBeGreaterThan(18);
});

test('does not pass what no token bucket would answer, even if no request proves a fault', () => {
  const [lumps] = rows.filter(({ does }) => does.startsWith('28 in each 2.8 seconds of the clock'));
  const sentences = Array.from({ length: 20 }, (_, seed) =>
    lumps === undefined ? '' : sentenceOf(lumps, networks['80 ms'], seed + 1),
  );
  expect(sentences).toContainEqual(expect.stringMatching(/^cannot tell: no token bucket would answer so/));
  expect(sentences).not.toContainEqual(expect.stringMatching(/^admits \d+ of \d+ requests/));
});
