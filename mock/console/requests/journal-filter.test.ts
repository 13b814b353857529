import { describe, expect, it } from 'vitest';
import type { Exchange } from '../control/control.ts';
import { isRefused, type JournalFilter, matches } from './journal-filter.ts';

const all: JournalFilter = { tenant: '', key: '', operation: '', status: '', text: '' };
const exchange = {
  tenant: 'acme',
  key: 'reader',
  operationId: 'listLabels',
  request: { method: 'GET', url: '/v1/labels?x=1', headers: {}, body: { text: 'sent' } },
  reply: { status: 403, body: { text: '{"code":"FORBIDDEN"}' } },
  refused: 'missing-scope',
  why: 'key `reader` lacks `site:read`',
  rule: 'scopes/missing-scope-is-403',
} as unknown as Exchange;
const stranger = {
  ...exchange,
  tenant: null,
  key: null,
  refused: null,
  reply: { status: 200, body: null },
} as Exchange;

describe('the filter of the journal', () => {
  it('does not call refused what a fault answers with a success', () => {
    const changed = { ...exchange, refused: 'fault', reply: { status: 200, body: null } } as Exchange;
    expect([isRefused(exchange), isRefused(changed)]).toEqual([true, false]);
    expect(matches({ ...all, status: 'refused' }, changed)).toBe(false);
  });

  it('calls wrong on purpose what broke a rule, and not what a habit did', () => {
    const isWrong = (change: Partial<Exchange>) =>
      matches({ ...all, status: 'wrong on purpose' }, { ...stranger, ...change });
    expect(isWrong({ fault: 'auth/no-key-served-by-listLabels', breaks: 'auth/no-key-is-403' })).toBe(true);
    expect(isWrong({ fault: 'labels-backwards', breaks: null })).toBe(false);
  });

  it.each<[Partial<JournalFilter>, boolean, boolean]>([
    [{}, true, true],
    [{ tenant: 'acme' }, true, false],
    [{ tenant: 'no known key' }, false, true],
    [{ key: 'reader' }, true, false],
    [{ operation: 'getSite' }, false, false],
    [{ status: '403' }, true, false],
    [{ status: '4xx' }, true, false],
    [{ status: '2xx' }, false, true],
    [{ status: 'refused' }, true, false],
    [{ text: 'forbidden' }, true, false],
    [{ text: 'LACKS `SITE' }, true, true],
    [{ text: 'nowhere' }, false, false],
    [{ tenant: 'acme', status: '2xx' }, false, false],
  ])('%j', (filter, first, second) => {
    expect([matches({ ...all, ...filter }, exchange), matches({ ...all, ...filter }, stranger)]).toEqual([
      first,
      second,
    ]);
  });
});
