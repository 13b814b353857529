import { expect, test } from 'vitest';
import { tryDefect } from '../../proof/trials/trial.ts';
import { judgeBy } from '../judging/judge.ts';
import { errors } from './errors.ts';

const { history: good } = await tryDefect(null);
const bodies = errors.find(({ id }) => id === 'errors/body');
const inItsOwnWords = JSON.stringify({ timestamp: 1, status: 400, error: 'Bad Request' });

/** What comes of the law where the refusals of requests to such paths are in the words of a front server. */
function outcomeWhere(isTold: (path: string) => boolean, status: number) {
  let told = 0;
  const exchanges = good.exchanges.map((one) => {
    if ((one.status ?? 0) < 400 || !isTold(new URL(one.url).pathname)) return one;
    told++;
    return { ...one, status, body: inItsOwnWords };
  });
  expect(told).toBeGreaterThan(3);
  return bodies && judgeBy(bodies, { ...good, exchanges }).outcome;
}

test.each([400, 404])('a front server may refuse what no lawful client sends with %i in its own words', (status) => {
  expect(outcomeWhere((path) => /%00|%25|\*/.test(path), status)).toBe('pass');
});

test('the service itself may not', () => {
  expect(outcomeWhere((path) => /^\/v1\/site\/[\w-]+\/file/.test(path), 404)).toBe('fail');
});
