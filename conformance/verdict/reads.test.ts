import { expect, it } from 'vitest';
import type { RuleId } from '../../spec/rules.ts';
import { aNumber, asks } from '../contract/uploads.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { randomIds } from '../numbers.ts';
import { completeTarget } from '../scripts/missing-target-fields.ts';
import { judgeAnswers } from './answers/index.ts';
import { emptyEvidence } from './evidence.ts';
import { judgeLists } from './reads.ts';
import { trafficIn, trafficOf } from './traffic.ts';
import { judgeUploads } from './uploads.ts';

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

it('a fileKey that nobody issued registers no file of another', () => {
  const registered = (fileKey: string, shown: string) => ({
    ...exchange({ operation: 'registerSiteFile', status: 201, requestBody: JSON.stringify({ fileKey }) }),
    body: JSON.stringify({ fileKey: shown }),
  });
  const nobodys = 'f11e0003-0000-4000-8000-000000000003';
  const broken = 'upload/register-takes-file-key 1 0';
  expect(judged([start(one), registered(nobodys, one.toUpperCase())])).toEqual([broken]);
  expect(judged([start(one), registered(nobodys, nobodys)])).toEqual([]);
  // One file may stand for two of the same bytes.
  expect(judged([start(one), start(two), registered(two, one)])).toEqual([]);
});

const spares = [completeTarget.tenants[0]?.spareLabel, ...(completeTarget.tenants[0]?.spareLabels ?? [])].map(
  (label) => label?.id ?? '',
);

it('a label is gone from a list only if others beside it show it, again and again', () => {
  const all = [...spares, one];
  const list = (sentAt: number, ids = all, doneAt = sentAt + 100) =>
    exchange({
      ...{ operation: 'listLabels', key: 'acme/full', status: 200, method: 'GET', params: {}, sentAt, doneAt },
      body: JSON.stringify({ labels: ids.map((id) => ({ id })) }),
      facts: { operation: 'listLabels', caller: 'valid', owner: null, label: null, mutation: null },
    });
  const failures = (...exchanges: readonly Exchange[]) => {
    const { byRule, evidenceOf } = emptyEvidence();
    judgeLists(trafficIn({ known: { target: completeTarget }, exchanges, hooks: [] } as never), evidenceOf);
    return byRule.get('labels/listing-gives-public-labels')?.failures.length ?? 0;
  };
  const flips = (at: number, ids = spares, beside = 2e3) => [list(at - beside), list(at, ids), list(at + beside)];
  expect(failures(...flips(2e4), ...flips(6e4))).toBe(1);
  // Copies of the list lag for seconds, replies overtake each other, and somebody archives the label for a while, twice.
  expect(failures(...flips(2e4), ...flips(2.5e4))).toBe(0);
  expect(failures(list(1e4), list(2e4, spares, 7e4), list(3e4), list(4e4), list(5e4, spares, 7e4), list(6e4))).toBe(0);
  expect(failures(...flips(2e4, spares, 1e4), ...flips(6e4, spares, 1e4))).toBe(0);
  // Somebody deleted a spare label, and made it again.
  const [, ...others] = spares;
  expect(failures(...flips(2e4, [...others, one]))).toBe(0);
  expect(failures(list(2e4, [...others, one]))).toBe(1);
  expect(failures(...flips(2e4, [...others, one]), ...flips(6e4, [...others, one]))).toBe(1);
});

it('a list may show labels as records, by id, or as texts with ids', () => {
  const [a = '', ...others] = spares;
  const failures = (labels: object) => {
    const { byRule, evidenceOf } = emptyEvidence();
    const facts = { operation: 'listLabels', caller: 'valid', owner: null, label: null, mutation: null };
    const list = { operation: 'listLabels', key: 'acme/full', status: 200, method: 'GET', params: {}, facts };
    const exchanges = [exchange({ ...list, body: JSON.stringify({ labels }) })];
    judgeLists(trafficIn({ known: { target: completeTarget }, exchanges, hooks: [] } as never), evidenceOf);
    return byRule.get('labels/listing-gives-public-labels')?.failures.length ?? 0;
  };
  const texts = (ids: readonly string[]) => ids.map((id) => `${id}:name, of all`);
  const byId = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, {}]));
  for (const shape of [texts, byId]) expect([spares, others].map((ids) => failures(shape(ids)))).toEqual([0, 1]);
  // What else a record names is no label.
  expect(failures([{ uuid: a, usedBy: ['1abe1000-0000-4000-8000-000000000000'] }, ...texts(others)])).toBe(1);
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
  const { byRule, evidenceOf } = emptyEvidence();
  judgeAnswers(trafficOf(history), evidenceOf);
  const evidence = byRule.get(id as RuleId);
  expect(evidence).toMatchObject({ asked: 1, profile: [profile] });
  expect(evidence?.answers).toEqual([`${ask}: ${status} NO`]);
});
