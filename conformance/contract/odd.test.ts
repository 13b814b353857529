import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import type { Mutation } from '../history/facts.ts';
import { completeTarget } from '../scripts/missing-target-fields.ts';
import { deploymentOf } from '../target/deployment.ts';
import { allows, type Case, reasonsOf } from './case.ts';
import { judgeStatus } from './judge.ts';
import { judgeReply, signOf } from './reply.ts';

const asked = (statuses: readonly number[] | 'any' | 'no success'): Case => ({
  operation: 'startSiteFileUpload',
  caller: 'valid',
  owner: 'ours',
  label: null,
  mutation: { id: 'odd', means: { rule: 'upload/no-direct-bytes', statuses } } satisfies Mutation,
  isElsewhere: false,
  isRead: false,
  isApply: false,
  lacks: 'none',
  siteRule: null,
  hasOddKey: false,
  mayBeOwn: false,
});

const deployment = deploymentOf(completeTarget);
const says = (statuses: Parameters<typeof asked>[0], status: number | null) => {
  const about = { status, failure: status === null ? 'closed' : null, requestBytes: 1, key: 'acme/full', params: {} };
  const exchange = { ...about, operation: 'startSiteFileUpload', facts: asked(statuses) } as unknown as Exchange;
  const said = judgeReply(exchange, deployment).find(({ rule }) => rule === 'upload/no-direct-bytes');
  return signOf(exchange) === 'no usable reply' && said?.says === 'suspected' ? 'lost' : said?.says;
};

it.each([
  [[400], { 201: 'broken', 400: 'kept', 405: 'suspected', 500: 'lost', closed: 'lost' }],
  ['any', { 201: 'broken', 400: 'kept', 405: 'kept', 500: 'lost', closed: 'kept' }],
  ['no success', { 201: 'broken', 400: 'kept', 405: 'kept', 500: 'kept', closed: 'kept' }],
] as const)('a demand of %j: %j', (statuses, expected) => {
  const replies = {
    201: says(statuses, 201),
    400: says(statuses, 400),
    405: says(statuses, 405),
    500: says(statuses, 500),
  };
  expect({ ...replies, closed: says(statuses, null) }).toEqual(expected);
});

it('a front may refuse a key that looks like an attack in other words', () => {
  const wrong = (hasOddKey: boolean): Case => ({ ...asked([]), caller: 'unknown', mutation: null, hasOddKey });
  const statuses = (one: Case) =>
    [400, 403, 200].filter((status) => reasonsOf(one).every((each) => allows(each, status)));
  expect(statuses(wrong(false))).toEqual([403]);
  expect(statuses(wrong(true))).toEqual([400, 403]);
});

it('a bare id may be the id of a site of both tenants', () => {
  const theirs = (mayBeOwn: boolean): Case => ({ ...asked([]), owner: 'theirs', mutation: null, mayBeOwn });
  const rules = (one: Case) => reasonsOf(one).map(({ rule }) => rule);
  expect(rules(theirs(false))).toEqual(['upload/foreign-site-is-404']);
  expect(rules(theirs(true))).toEqual([null]);
});

it('a 304 opens a door that must stay closed, and is no success of what must be served', () => {
  expect(says([400], 304)).toBe('broken');
  const exchange = { status: 304, key: 'acme/full', params: {}, facts: { ...asked([]), mutation: null } };
  const said = judgeReply(exchange as unknown as Exchange, deployment);
  expect(said.map((one) => `${one.rule} ${one.says}`)).toEqual(['upload/start-is-201 suspected']);
});

it('a redirect is no success of what must be refused, unless a rule names the status', () => {
  expect([says('any', 308), says([400], 308)]).toEqual(['kept', 'suspected']);
});

it('a site that is not found, or redirected, may be refused for its id', () => {
  const site: Case = { ...asked([]), mutation: null, siteRule: 'ids/legacy-site-id-works' };
  const rules = (status: number) => [...judgeStatus(site, { status } as Exchange)].map(({ rule }) => rule);
  const blamed = [308, 404, 403].map((status) => rules(status).includes('ids/legacy-site-id-works'));
  expect(blamed).toEqual([true, true, false]);
});
