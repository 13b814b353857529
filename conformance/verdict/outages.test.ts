import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import { outagesAmong } from './excuses.ts';

const operations = ['getSite', 'getClient', 'getHealth', 'listLabels', 'getConversation'];

/** Replies that come one after the other, every 100 ms, to different requests: `.` is a success, `x` a refusal. */
const asked = (statuses: string, change: (one: Exchange, i: number) => Partial<Exchange> = () => ({})): Exchange[] =>
  [...statuses].map((status, i) => {
    const times = { sentAt: i * 100, doneAt: i * 100 + 50, status: status === 'x' ? 403 : 200 };
    const one = { ...times, operation: operations[i % 5], key: 'acme/full', method: 'GET', params: {} } as Exchange;
    return { ...one, ...change(one, i) };
  });
const excused = (all: readonly Exchange[]) => all.filter((one) => one.status === 403 && outagesAmong(all)(one)).length;

it('many different requests in a row that are refused, and served at other times, are an outage', () => {
  expect(excused(asked('..........xxxxxx..........'))).toBe(6);
});

it('a reply with another status than those of the outage was given by the service', () => {
  const all = asked('..........xxxxxxx.........', (_, i) => (i === 13 ? { status: 404 } : {}));
  expect(all.filter(outagesAmong(all.filter(({ status }) => status !== 404))).map(({ status }) => status)).toEqual(
    Array(6).fill(403),
  );
});

it('a request that is never served is none, nor is one kind of request that is refused again and again', () => {
  expect(excused(asked('....x....x....x....x....x'))).toBe(0);
  expect(excused(asked('.....xxxxxx.....', (_, i) => (i < 5 || i > 10 ? {} : { operation: 'getSite' })))).toBe(0);
});

it('one record that is never served, while others are, is none', () => {
  const requests = (_: Exchange, i: number) => ({
    operation: ['applySiteLabel', 'removeSiteLabel'][i % 2] as Exchange['operation'],
    key: ['acme/full', 'acme/site', 'acme/links'][i % 3] as string,
    params: { id: i < 12 || i > 21 ? '10042' : 'ovaid', labelId: `${i % 4}` },
  });
  expect(excused(asked('............xxxxxxxxxx............', requests))).toBe(0);
});

it('a method that a gateway loses for a while is an outage, while others are served', () => {
  const methods = (_: Exchange, i: number) => ({ method: i % 2 ? 'DELETE' : 'PUT' });
  expect(excused(asked('..........x.x.x.x.x.x..........', methods))).toBe(6);
});

it('a key that is lost for a while is an outage of this key, while others are served', () => {
  const keys = (_: Exchange, i: number) => ({ key: i % 2 ? 'acme/full' : 'acme/other' });
  expect(excused(asked('..........x.x.x.x.x.x..........', keys))).toBe(6);
});

it('requests that must be refused show an outage as well, where they are refused otherwise than usual', () => {
  const all = asked('..........xxxxxx..........', (one, i) => ({
    status: one.status === 403 ? 400 : 403,
    facts: { caller: 'none', owner: i % 3 ? 'ours' : null } as Exchange['facts'],
    params: { id: `${i % 4}` },
  }));
  const excusedOf = (of: readonly Exchange[]) =>
    of.filter((one) => one.status === 400 && outagesAmong([], ({ status }) => status === 403, of)(one)).length;
  expect(excusedOf(all)).toBe(6);
  expect(excusedOf(all.filter(({ status }) => status === 400))).toBe(0);
});
