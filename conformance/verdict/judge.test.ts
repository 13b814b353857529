import { expect, test } from 'vitest';
import { loadTarget } from '../../spec/files/target.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { judgeBy, lawOf } from './judge.ts';

const rule = 'auth/unknown-key-is-403';
/** It finds no reply to judge. */
const silent = lawOf(rule);

const history = (exercised: readonly string[]): History => ({
  known: {
    kit: 'test',
    startedAt: '2026-11-22T00:00:00.000Z',
    target: loadTarget(new URL('../../fixtures/mock.target.yaml', import.meta.url).pathname),
    allowLeftovers: false,
  },
  exchanges: [],
  hooks: [],
  skipped: [{ script: 'slow', tries: [rule], reason: 'not-selected', why: ['--slow'] }],
  exercised,
  left: [],
  interrupted: false,
  finishedAt: '2026-11-22T00:01:00.000Z',
});

test('a rule whose only script was left out is not selected', () => {
  expect(judgeBy(silent, history([]))).toMatchObject({ outcome: 'not-selected', message: 'it needs --slow' });
});

test('a rule whose scripts ran without a usable reply is not run, so it does not leave the verdict in silence', () => {
  expect(judgeBy(silent, history([rule]))).toMatchObject({
    outcome: 'not-run',
    message: 'nothing happened in this run that the rule applies to',
  });
});

test('a rule to which nothing applied, while another of its area is broken, names that one', () => {
  const served = {
    ...{ n: 1, script: 's', operation: 'listLabels', key: null, credential: 'none', params: {}, method: 'GET' },
    ...{ url: 'https://example.invalid/v1/labels', requestHeaders: {}, requestBody: null, requestBytes: 0, sentAt: 1 },
    ...{ doneAt: 2, status: 200, headers: {}, body: '{}', failure: null, paced: true },
    facts: { operation: 'listLabels', caller: 'none', owner: null, label: null, mutation: null },
  } as unknown as Exchange;
  expect(judgeBy(silent, { ...history([rule]), exchanges: [served] })).toMatchObject({
    outcome: 'not-run',
    message: 'mend auth/no-key-is-403, which is broken, first; until then not judged',
  });
});

test('a rule whose scripts were stopped names why, and no option that would not have helped', () => {
  const given = 'given up: 120 requests got no reply in time, where 1000 were answered';
  const { skipped, ...rest } = history([]);
  const stopped = { script: 'fast', tries: [rule], reason: 'stopped', why: [given] } as const;
  expect(judgeBy(silent, { ...rest, skipped: [...skipped, stopped] })).toMatchObject({
    outcome: 'not-run',
    message: given,
  });
});

test('a reply that shows two breaches is one of those that were judged', () => {
  const breach = { exchange: { n: 1 } as Exchange, expected: 'this', observed: 'that' };
  const twice = () => ({ applied: 1, breaches: [breach, breach] });
  expect(judgeBy(lawOf(rule), history([]), twice)).toMatchObject({ finding: { applied: 1 } });
});

test('what a trial has shown is broken as often as replies show the same', () => {
  const [exchange, one, two] = [1, 2, 3].map((n) => ({ n }) as Exchange) as [Exchange, Exchange, Exchange];
  const breach = { exchange, expected: 'this', observed: 'that', same: [one, two] };
  const message = 'broken in 3 of 7: expected this; observed that';
  expect(judgeBy(lawOf(rule), history([]), () => ({ applied: 7, breaches: [breach] }))).toMatchObject({ message });
});
