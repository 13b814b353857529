import { expect, it } from 'vitest';
import { byCause, whereWords } from './evidence-of.ts';
import type { ReportRow } from './report-schema.ts';

const row = (id: string, observed: string, where: ReportRow['where'] = []) =>
  ({ id, outcome: 'fail', breaches: [{ expected: '403', observed }], where }) as unknown as ReportRow;
const list = (broken: number) => ({ request: 'GET /v1/labels', broken });
const idsOf = (groups: readonly (readonly ReportRow[])[]) => groups.map((rows) => rows.map(({ id }) => id));

it('rules have one cause where the words are the same, or where the same requests break them', () => {
  const rows = [row('0', 'a leak', [list(3)]), row('a', '401', [list(3)]), row('b', '401', [list(1)]), row('d', '200')];
  expect(idsOf(byCause(rows))).toEqual([['a', 'b', '0'], ['d']]);
});

it('names the most frequent requests, and counts the others', () => {
  const others = ['x', 'y', 'z'].map((request) => ({ request, broken: 1 }));
  expect(whereWords([row('a', '401', [...others, list(2)]), row('b', '401', [list(3)])])).toBe(
    'GET /v1/labels 5 times, x, 2 more requests',
  );
});
