import { describe, expect, it } from 'vitest';
import type { Exchange } from '../control/control.ts';
import { groupEqual } from './group-equal.ts';

const exchange = (id: number, some: Partial<Exchange> = {}) =>
  ({
    id,
    tenant: 'acme',
    key: 'full',
    operationId: 'getHealth',
    request: { method: 'GET', url: '/v1/health', body: null },
    reply: { status: 429, body: null },
    refused: 'throttled',
    why: 'used up',
    ...some,
  }) as unknown as Exchange;
const rows = (exchanges: Exchange[], open: number[] = []) =>
  groupEqual(exchanges, new Set(open)).map((row) =>
    row.kind === 'group' ? `${row.exchanges.length} from ${row.id}` : row.exchange.id,
  );

describe('equal exchanges', () => {
  it('share a row if there are three or more', () => {
    expect(rows([exchange(3), exchange(2), exchange(1)])).toEqual(['3 from 1']);
    expect(rows([exchange(2), exchange(1)])).toEqual([2, 1]);
  });

  it('are shown below their row when it is open', () => {
    expect(rows([exchange(4), exchange(3), exchange(2)], [2])).toEqual(['3 from 2', 4, 3, 2]);
  });

  it.each<[string, Partial<Exchange>]>([
    ['tenant', { tenant: 'globex' }],
    ['key', { key: 'none' }],
    ['address', { request: { method: 'GET', url: '/v1/labels', body: null } as Exchange['request'] }],
    ['body', { request: { method: 'GET', url: '/v1/health', body: { text: '{}' } } as Exchange['request'] }],
    ['reason', { why: 'another' }],
    ['reply', { reply: { status: 429, body: { text: '{}' } } as Exchange['reply'] }],
  ])('are not equal with another %s', (_, other) => {
    expect(rows([exchange(4), exchange(3, other), exchange(2), exchange(1)])).toEqual([4, 3, 2, 1]);
  });

  it('are equal with another query, if all the rest is', () => {
    const asked = (page: number) => ({ request: { method: 'GET', url: `/v1/health?page=${page}`, body: null } });
    const of = (id: number) => exchange(id, asked(id) as Partial<Exchange>);
    expect(rows([of(3), of(2), of(1)])).toEqual(['3 from 1']);
  });

  it('may be successful', () => {
    const served = { refused: null, why: null, reply: { status: 200, body: null } as Exchange['reply'] };
    expect(rows([exchange(3, served), exchange(2, served), exchange(1, served)])).toEqual(['3 from 1']);
  });
});
