import { expect, it } from 'vitest';
import { runConformance } from '../index.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { TransportError } from './http.ts';

it('ends the run only after two minutes without a usable reply, and counts from the latest one', () => {
  let now = 0;
  const breaker = createCircuitBreaker(() => now);
  for (let i = 0; i < 20; i++) breaker.failed();
  now = 119_999;
  expect(breaker.lost()).toBeNull();
  now = 120_000;
  expect(breaker.lost()).toBe('given up: no usable reply for 120 s, to 20 requests');
  breaker.heard();
  expect(breaker.lost()).toBeNull();
});

it('does not end the run when few requests were sent without a reply', () => {
  let now = 0;
  const breaker = createCircuitBreaker(() => now);
  now = 3_600_000;
  for (let i = 0; i < 11; i++) breaker.failed();
  expect(breaker.lost()).toBeNull();
});

it('ends the run where a tenth of the requests, and many, time out', () => {
  const breaker = createCircuitBreaker(() => 0);
  for (let i = 0; i < 1080; i++) breaker.heard();
  for (let i = 0; i < 119; i++) breaker.timedOut();
  expect(breaker.lost()).toBeNull();
  breaker.timedOut();
  expect(breaker.lost()).toBe('given up: 120 requests got no reply in time, where 1080 were answered');
  breaker.heard();
  expect(breaker.lost()).toBeNull();
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
