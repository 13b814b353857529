import { expect, it } from 'vitest';
import { runConformance } from '../index.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { TransportError, type TransportProblem } from './http.ts';
import { createRetryPolicy } from './retry-policy.ts';

const answered = ['works', null, { status: 200, paced: true }] as const;
const lost = (problem: TransportProblem, operation = 'hangs') =>
  [operation, problem, { status: null, paced: true }] as const;

it('ends the run where a tenth of the requests, and many, time out', () => {
  const policy = createRetryPolicy(30_000);
  for (let i = 0; i < 1080; i++) policy.saw(...answered);
  for (let i = 0; i < 119; i++) policy.saw(...lost('timeout'));
  expect(policy.lost()).toBeNull();
  policy.saw(...lost('timeout'));
  expect(policy.lost()).toBe('given up: 120 requests got no reply in time, where 1080 were answered');
  policy.saw(...answered);
  expect(policy.lost()).toBeNull();
});

it('waits shortly for an operation that never succeeded and timed out often, and as long as ever for others', () => {
  const policy = createRetryPolicy(30_000);
  policy.saw(...answered);
  for (let i = 0; i < 5; i++) for (const operation of ['hangs', 'works']) policy.saw(...lost('timeout', operation));
  expect(policy.timeoutOf('hangs')).toBe(30_000);
  for (const operation of ['hangs', 'works']) policy.saw(...lost('timeout', operation));
  expect(['hangs', 'works', 'new'].map(policy.timeoutOf)).toEqual([5_000, 30_000, 30_000]);
  policy.saw('hangs', null, { status: 200, paced: true });
  expect(policy.timeoutOf('hangs')).toBe(30_000);
});

it('never waits longer than it is told to', () => {
  const policy = createRetryPolicy(1_000);
  for (let i = 0; i < 9; i++) policy.saw(...lost('timeout'));
  expect(policy.timeoutOf('hangs')).toBe(1_000);
});

it('tries requests that time out less often after many time-outs', () => {
  const policy = createRetryPolicy(30_000);
  for (let i = 0; i < 9; i++) policy.saw(...lost('timeout', `operation ${i}`));
  expect(policy.tries('timeout')).toBe(5);
  policy.saw(...lost('timeout', 'another'));
  expect([policy.tries('timeout'), policy.tries(null)]).toEqual([2, 5]);
});

it('ends a run against a deployment that answers every request with "later"', async () => {
  const { environment, target } = await virtualMock({
    around: () => async () => ({ status: 429, headers: { 'retry-after': '86400' }, body: '{"message":"later"}' }),
  });
  const before = environment.now();
  const report = await runConformance(target, { environment, journal: memoryJournal() });
  expect(environment.now() - before).toBeLessThan(15 * 60_000);
  expect(report.exitCode).not.toBe(0);
  expect(report.outcomes.error).toBe(0);
});

it.each([
  ['contexts', /\/context$/, 'context/get-answers-context'],
  ['the storage', /^\/(?!v1\/)/, 'upload/put-accepts-bytes'],
])('ends in half an hour, and with a verdict, where only %s never answer', async (_, hangs, rule) => {
  const { environment, target } = await virtualMock({ latency: () => 40 });
  const send: typeof environment.send = async (request, sending) => {
    if (!hangs.test(new URL(request.url).pathname)) return environment.send(request, sending);
    await environment.sleep(sending.timeoutMilliseconds);
    throw new TransportError('timeout', 'no reply in time');
  };
  const before = environment.now();
  const report = await runConformance(target, { environment: { ...environment, send }, journal: memoryJournal() });
  expect(environment.now() - before).toBeLessThan(30 * 60_000);
  // An outage proves nothing, but it is no pass either, and nothing else is blamed for it.
  const rowsThatAre = (one: string) => report.rows.filter(({ outcome }) => outcome === one).map(({ id }) => id);
  expect(rowsThatAre('inconclusive')).toContain(rule);
  expect(rowsThatAre('fail')).toEqual([]);
  expect(report.exitCode).toBe(3);
});
