import { expect, test } from 'vitest';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { outagesIn } from './outages.ts';

const { history: good } = await tryDefect(null);
/** The good run, in which the API answers these of its requests, the first of which is number 0, with 503. */
function outAt(
  windows: readonly (readonly [from: number, to: number])[],
  isHit = (_index: number) => true,
  later = 0,
  reply: Partial<Exchange> = { status: 503 },
) {
  let index = -1;
  const exchanges = good.exchanges.map((one) => {
    if (one.operation === null || one.operation === 'storage') return one;
    index++;
    if (!windows.some(([from, to]) => index >= from && index < to)) return one;
    return isHit(index) ? { ...one, ...reply } : { ...one, doneAt: one.doneAt + later };
  });
  const history: History = { ...good, exchanges };
  return { excused: outagesIn(history).size, failed: exchanges.filter(({ status }) => status === reply.status).length };
}

const three = [
  [1_200, 1_240],
  [2_000, 2_040],
  [3_000, 3_040],
] as const;

test('one or two times in which nothing at all is served are restarts', () => {
  for (const windows of [three.slice(0, 1), three.slice(0, 2)]) {
    const { excused, failed } = outAt(windows);
    expect(failed).toBe(40 * windows.length);
    expect(excused).toBe(failed);
  }
});

test.each(['connection refused', 'connection reset', 'no reply within 30 s'])(
  'so is a time without any reply: %s',
  (failure) => {
    const { excused, failed } = outAt([[1_200, 1_240]], undefined, 0, { status: null, failure });
    expect([excused, failed]).toEqual([40, 40]);
  },
);

test('a service that is closed a third time is not restarting', () => {
  const { excused, failed } = outAt(three);
  expect(failed).toBe(120);
  expect(excused).toBe(0);
});

test('a time in which other requests are served is no restart', () => {
  const { excused, failed } = outAt([[2_000, 2_060]], (index) => index % 2 === 0);
  expect(failed).toBeGreaterThan(20);
  expect(excused).toBe(0);
});

test('a request that may have been served after the restart does not divide it', () => {
  const { excused, failed } = outAt([[2_000, 2_060]], (index) => index % 15 !== 7, 60_000);
  expect(failed).toBe(56);
  expect(excused).toBe(failed);
});
