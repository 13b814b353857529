import { expect, it } from 'vitest';
import type { RuleId } from '../../spec/rules.ts';
import { aNumber, asks } from '../contract/uploads.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { randomIds } from '../numbers.ts';
import { completeTarget } from '../scripts/missing-target-fields.ts';
import { answersTo } from './answers/index.ts';
import { emptyEvidence } from './evidence.ts';
import { judgeLists, judgeUploads } from './together.ts';
import type { Traffic } from './traffic.ts';

const minute = 60_000;
const [one, two] = ['f11e0001-0000-4000-8000-000000000001', 'f11e0002-0000-4000-8000-000000000002'];
let n = 0;
const exchange = (change: object) =>
  ({
    n: ++n,
    status: 201,
    sentAt: 0,
    doneAt: 0,
    failure: null,
    headers: {},
    params: { id: '1' },
    body: null,
    ...change,
  }) as unknown as Exchange;
const start = (fileKey: string, url = fileKey, life = 5) => {
  const uploadUrlExpiresAt = new Date(life * minute).toISOString();
  const body = JSON.stringify({ fileKey, uploadUrl: `https://store.example/${url}`, uploadUrlExpiresAt });
  return exchange({ operation: 'startSiteFileUpload', body });
};
const registration = (status: number, id: string) =>
  exchange({
    operation: 'registerSiteFile',
    status,
    requestBody: JSON.stringify({ fileKey: one }),
    facts: {
      operation: 'registerSiteFile',
      caller: 'valid',
      mutation: { id, means: 'open' },
    },
    key: 'acme/full',
    body: '{"error":{"code":"NO","message":"no"}}',
  });

function judged(exchanges: readonly Exchange[]) {
  const { byRule, evidenceOf } = emptyEvidence();
  judgeUploads({ exchanges }, evidenceOf);
  return [...byRule].map(([rule, { failures, unclear }]) => `${rule} ${failures.length} ${unclear.length}`);
}

it('each start has a fileKey of its own', () => {
  expect(judged([start(one), start(two)])).toEqual([]);
  expect(judged([start(one, 'a'), start(two, 'a')])).toEqual([]);
  expect(judged([start(one), start(one.toUpperCase())])).toEqual(['upload/target-file-key 1 0']);
});

it.each([
  ['a list that was asked before the label was made and answered late', [0, 30_000], 0],
  ['a list from a copy that lags', [21_000, 22_000], 0],
  ['a list long after and long before others have it', [40_000, 41_000], 1],
])('%s', (_, [sentAt, doneAt], failures) => {
  const made = '1abe1001-0000-4000-8000-000000000001';
  const list = (at: readonly number[], ids: readonly string[]) =>
    exchange({
      ...{ operation: 'listLabels', status: 200, key: 'acme/full', sentAt: at[0], doneAt: at[1] },
      body: JSON.stringify({ labels: ids.map((id) => ({ id })) }),
    });
  const exchanges = [
    list([20_000, 20_001], [made]),
    list([sentAt, doneAt] as number[], []),
    list([70_000, 70_001], [made]),
  ];
  const { byRule, evidenceOf } = emptyEvidence();
  const deployment = { tenant: { name: 'acme', keys: [] } };
  const cases = new Map(exchanges.map((one) => [one, { caller: 'valid' }]));
  judgeLists({ exchanges, deployment, cases } as unknown as Traffic, evidenceOf);
  expect(byRule.get('labels/listing-gives-public-labels')?.failures.length ?? 0).toBe(failures);
});

it('one number at random may be a site, but not all are', () => {
  const asked = (id: number, status = 201) =>
    exchange({
      operation: 'startSiteFileUpload',
      status,
      params: { id },
      facts: { mutation: { id: aNumber } },
      body: '{}',
    });
  const taken = Array.from({ length: randomIds }, (_, i) => asked(i));
  expect(judged(taken)).toContain('upload/unknown-site-is-404 1 0');
  expect(judged([...taken.slice(1), asked(9, 404)]).join()).not.toContain('unknown-site');
});

it('an expiry after the run says nothing', () => {
  const started = start(one, one, 60);
  const late = exchange({ operation: 'storage', params: { start: `${started.n}` }, sentAt: 6 * minute });
  expect(judged([started, late])).toEqual(['upload/expired-url-is-refused 0 1']);
  // An hour ahead, and it says so.
  const ahead = { ...started, headers: { date: new Date(55 * minute).toUTCString() } };
  expect(judged([ahead, late])).toEqual([]);
});

it.each<[string, string, number, object]>([
  ['upload/register-twice-is-409', asks.twice, 410, { upload: { registerTwice: { status: 410, code: 'NO' } } }],
  [
    'upload/register-before-put-is-422',
    asks.early,
    201,
    { upload: { registerBeforePut: { status: 201, code: 'NO' } } },
  ],
  [
    'limits/too-large-is-413',
    asks.tooLarge,
    400,
    { errors: { 'too-large': { status: 400, code: 'NO', body: 'error' } } },
  ],
])('%s: the answer goes into the profile', (id, ask, status, profile) => {
  const known = { target: completeTarget };
  const history = { known, hooks: [], exchanges: [registration(status, ask)] } as unknown as History;
  const finding = answersTo(id as RuleId, history);
  expect(finding).toMatchObject({ applied: 1, profile: [profile] });
  expect(finding.answers).toEqual([`${ask}: ${status} NO`]);
});
