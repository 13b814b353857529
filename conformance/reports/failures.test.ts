import { describe, expect, it } from 'vitest';
import { failuresIn, sureness, withKey } from './failures.ts';
import type { Report, ReportRow } from './report-schema.ts';

const row = (id: string, observed: string, where: ReportRow['where'] = [], applied = 1) => {
  const broken = where.reduce((sum, one) => sum + one.broken, 0);
  const breaches = [{ expected: '403', observed, exchange: 1, with: [] }];
  return { id, outcome: 'fail', applied, broken, breaches, where } as unknown as ReportRow;
};
const exchanges = [{ n: 1, operation: 'listLabels', params: {}, curl: '' }] as unknown as Report['exchanges'];
const list = (broken: number) => ({ request: 'GET /v1/labels', broken });
const idsIn = (rows: ReportRow[]) =>
  failuresIn({ exchanges, rows }).map(({ row, others }) => [row, ...others].map(({ id }) => id));

it('rules have one cause where the words are the same, or where the same requests break them', () => {
  const rows = [row('0', 'a leak', [list(3)]), row('a', '401', [list(3)]), row('b', '401', [list(1)]), row('d', '200')];
  expect(idsIn(rows)).toEqual([['a', '0', 'b'], ['d']]);
});

it('the rule that is broken in most of what it applied to leads, then the one that is broken most often', () => {
  const rows = [row('a', '501', [list(13)], 255), row('b', '501', [list(4)], 4), row('c', '501', [list(9)], 9)];
  expect(idsIn(rows)).toEqual([['c', 'a', 'b']]);
});

it('what is undecided belongs to what is broken in the same way, and does not lead it', () => {
  const undecided = { ...row('a', '401', [list(74)], 0), outcome: 'inconclusive' as const, broken: 0 };
  expect(idsIn([undecided, row('b', '401', [list(1)], 61), row('c', '401', [list(9)], 61)])).toEqual([['c', 'a', 'b']]);
  expect(sureness(undecided)).toEqual([1, 74]);
});

it('what was measured of buckets is one cause, and the key with figures leads', () => {
  const exchanges = [
    { n: 1, curl: 'short', key: 'a' },
    { n: 2, curl: 'longer', key: 'limits' },
  ] as unknown as Report['exchanges'];
  const measured = (id: string, n: number, note: string | undefined = `key ${n} was throttled`) =>
    ({
      id,
      area: 'limiter',
      outcome: 'fail',
      breaches: [{ expected: id, observed: `${n} rps`, note, exchange: n, with: [] }],
      where: note.startsWith('key') ? [list(2)] : [],
    }) as unknown as ReportRow;
  const rows = [
    measured('429', 1),
    measured('rate', 2),
    measured('burst', 2, 'key 2 was throttled; the same happened to key 3 as well'),
    measured('wait', 1, 'seen in 2 of 3 replies'),
  ];
  const limiter = { key: 'limits' } as Report['limiter'];
  const failures = failuresIn({ exchanges, rows, limiter });
  const ids = failures.map(({ row, others }) => [row, ...others].map(({ id }) => id));
  expect(ids).toEqual([['rate', '429', 'burst'], ['wait']]);
  // A bucket belongs to a key, whichever operations it was asked for.
  expect(failures.map(({ where }) => where)).toEqual(['requests with 1, 2, 3', '']);
});

it('names the most frequent requests, and counts the others', () => {
  const others = ['x', 'y', 'z'].map((request) => ({ request, broken: 1 }));
  const [failure] = failuresIn({
    exchanges: [],
    rows: [row('a', '401', [...others, list(2)]), row('b', '401', [list(3)])],
  });
  expect(failure?.where).toBe('GET /v1/labels 5 times, x, 2 more requests');
});

it('begins with what breaks most rules, then most replies, whatever the order of the rules', () => {
  const broken = (id: string, observed: string, times: number) => ({ ...row(id, observed), broken: times });
  const rows = [broken('0', 'a', 1), broken('1', 'b', 9), broken('2', 'c', 1), broken('3', 'c', 1)];
  const undecided = { ...broken('4', 'd', 0), outcome: 'inconclusive' as const };
  const warning = { ...broken('5', 'e', 99), outcome: 'warn' as const };
  const ids = failuresIn({ exchanges: [], rows: [warning, undecided, ...rows] }).map(({ row }) => row.id);
  expect(ids).toEqual(['2', '1', '0', '4', '5']);
});

it('leads with the rule and the reply of the plainest request', () => {
  const exchanges = [
    { n: 1, curl: "curl -H 'x-token: $KEY' /v1/health" },
    { n: 2, curl: 'curl /v1/health' },
  ] as unknown as Report['exchanges'];
  const shows = (id: string, exchange: number) =>
    ({
      id,
      outcome: 'fail',
      where: ['x'],
      breaches: [{ expected: '403', observed: '401', exchange, with: [] }],
    }) as unknown as ReportRow;
  const [failure] = failuresIn({ exchanges, rows: [shows('elsewhere', 1), shows('no-key', 2)] });
  expect([failure?.row.id, failure?.others.length, failure?.evidence?.exchange.n]).toEqual(['no-key', 1, 2]);
});

describe('the failure that another follows from', () => {
  const request = (n: number, operation: string, labelId = 'a') => ({
    n,
    operation,
    params: { id: '1', labelId },
    curl: '',
  });
  const report = {
    exchanges: [
      request(1, 'removeSiteLabel'),
      request(2, 'applySiteLabel'),
      request(3, 'removeSiteLabel', 'b'),
      request(4, 'applySiteLabel'),
      request(5, 'removeSiteLabel', 'b'),
      request(6, 'getHealth'),
    ],
  } as unknown as Report;
  const fails = (id: string, numbers: readonly number[], inQuestion?: readonly number[]) => {
    const part = inQuestion && { inQuestion, sight: { id: 'a' } };
    const breach = { expected: '', observed: id, exchange: numbers.at(-1), with: numbers.slice(0, -1), ...part };
    return { id, outcome: 'fail', broken: 1, breaches: [breach] } as unknown as ReportRow;
  };
  const causesIn = (...rows: ReportRow[]) =>
    failuresIn({ ...report, rows }).flatMap(({ row, lead }) => (lead ? [`${row.id} < ${lead.row.id}`] : []));
  const notApplied = fails('apply-adds', [1, 2, 3], [2]);
  const notRemoved = fails('remove-removes', [4, 5], [5]);

  it('is the one whose request in question the others take for granted', () => {
    expect(causesIn(notRemoved, notApplied)).toEqual(['remove-removes < apply-adds']);
  });

  it('is the one that comes first where the same request shows the same of a record', () => {
    expect(causesIn(notApplied, fails('answers-all', [4], [4]))).toEqual(['answers-all < apply-adds']);
  });

  it('is the surest where one operation refuses both in the same way', () => {
    const at = (id: string, n: number, observed: string, applied = 4) =>
      ({ ...fails(id, [n]), breaches: [{ expected: id, observed, exchange: n, with: [] }], applied }) as ReportRow;
    const [one, another] = [at('a', 1, '501'), at('b', 3, '501 {}', 1)].map((each, i) => ({
      ...each,
      where: [list(2 - i)],
    }));
    if (!one || !another) throw new Error('there are two');
    expect(causesIn(one, another)).toEqual(['a < b']);
    expect(causesIn({ ...one, outcome: 'inconclusive' }, another)).toEqual(['a < b']);
    expect(causesIn(one, { ...another, outcome: 'inconclusive' })).toEqual(['b < a']);
    expect(causesIn(one, at('other operation', 6, '501'))).toEqual([]);
    expect(causesIn(one, at('other status', 3, '500'))).toEqual([]);
    // A success may have any cause.
    expect(causesIn(at('a', 1, '200'), at('b', 3, '200'))).toEqual([]);
  });

  it('is none where causes have nothing to do with each other', () => {
    expect(causesIn(notApplied, fails('health', [6]))).toEqual([]);
    expect(causesIn(fails('health', [6]), fails('status', [6]))).toEqual([]);
    expect(causesIn(notApplied)).toEqual([]);
  });
});

it('says by which key a request was sent: one of the target file, one that nobody has, or none', () => {
  const sent = (key: string | null, header?: string) =>
    withKey({ key, requestHeaders: header === undefined ? {} : { 'x-api-key': header } });
  expect([sent('acme/full', '$ACME_FULL_KEY'), sent(null, 'nobody'), sent(null)]).toEqual([
    'with acme/full',
    'with an unknown key',
    'without a key',
  ]);
});
