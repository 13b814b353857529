import { describe, expect, it } from 'vitest';
import type { Exchange } from '../control/control.ts';
import { groupRefusals, shownBy } from './group-refusals.ts';

const exchange = (id: number, some: Partial<Exchange> = {}) =>
  ({
    id,
    tenant: 'acme',
    key: 'full',
    operationId: 'getHealth',
    request: { url: '/v1/health' },
    reply: { status: 429 },
    refused: 'throttled',
    why: 'used up',
    ...some,
  }) as unknown as Exchange;
const rows = (exchanges: Exchange[], open: number[] = []) =>
  groupRefusals(exchanges, new Set(open)).map((row) =>
    row.kind === 'group' ? `${row.exchanges.length} from ${row.id}` : row.exchange.id,
  );

describe('equal refusals', () => {
  it('share a row if there are three or more', () => {
    expect(rows([exchange(3), exchange(2), exchange(1)])).toEqual(['3 from 1']);
    expect(rows([exchange(2), exchange(1)])).toEqual([2, 1]);
  });

  it('are shown below their row when it is open', () => {
    expect(rows([exchange(4), exchange(3), exchange(2)], [2])).toEqual(['3 from 2', 4, 3, 2]);
  });

  it('carry the address that all of them have, and no address that one of them has', () => {
    const at = (id: number, url: string) => exchange(id, { request: { url } as Exchange['request'] });
    const shown = (...urls: string[]) =>
      groupRefusals(
        urls.map((url, i) => at(9 - i, url)),
        new Set(),
      ).map((row) => shownBy(row).request.url);
    expect(shown('/v1/labels?1', '/v1/labels?1', '/v1/labels?1')).toEqual(['/v1/labels?1']);
    expect(shown('/v1/labels?1', '/v1/labels?2', '/v1/labels?3')).toEqual(['']);
  });

  it.each<[string, Partial<Exchange>]>([
    ['tenant', { tenant: 'globex' }],
    ['key', { key: 'none' }],
    ['operation', { operationId: 'listLabels' }],
    ['reason', { why: 'another' }],
  ])('are not equal with another %s', (_, other) => {
    expect(rows([exchange(4), exchange(3, other), exchange(2), exchange(1)])).toEqual([4, 3, 2, 1]);
  });

  it('are not successful requests', () => {
    const served = { refused: null, why: null };
    expect(rows([exchange(3, served), exchange(2, served), exchange(1, served)])).toEqual([3, 2, 1]);
  });

  it('without an operation need the same URL', () => {
    const at = (id: number, url: string) =>
      exchange(id, { operationId: null, request: { url } as Exchange['request'] });
    expect(rows([at(3, '/a'), at(2, '/a'), at(1, '/b')])).toEqual([3, 2, 1]);
  });
});
