import { describe, expect, it } from 'vitest';
import { differences } from './alike.ts';
import { Roles } from './roles.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const ok = (body: unknown, headers = {}) => ({ status: 200, headers, body: JSON.stringify(body) });
const found = (a: object, b: object, roles?: Roles) =>
  differences(ok(a), ok(b), roles).map(({ at, what, recorded, mock }) => `${at} ${what}: ${recorded}, ${mock}`);

describe('alike', () => {
  it('takes ids, times and texts by their role', () => {
    const was = { id: id(1), at: '2026-01-01T00:00:00Z', subject: 'No heat', url: 'https://a.example/x' };
    const is = { id: id(2), at: '2027-02-03T04:05:06Z', subject: 'Made', url: 'http://127.0.0.1:4010/y' };
    expect(found(was, is)).toEqual([]);
  });

  it('says when an id stands for another record than before', () => {
    const roles = new Roles();
    expect(found({ id: id(1) }, { id: id(11) }, roles)).toEqual([]);
    expect(found({ id: id(2) }, { id: id(11) }, roles)).toEqual(['body.id id: one record, another']);
    expect(found({ id: id(1) }, { id: id(12) }, roles)).toEqual(['body.id id: one record, another']);
    expect(roles.translated(`/v1/site/ovaid-${id(1)}/file`)).toBe(`/v1/site/ovaid-${id(11)}/file`);
  });

  it('knows no order of labels, and one of messages', () => {
    const label = (n: number) => ({ id: id(n), name: `label ${n}` });
    expect(found({ labels: [label(1), label(2)] }, { labels: [label(2), label(1)] })).toEqual([]);
    expect(found({ labels: ['vip', 'spare'] }, { labels: ['spare', 'vip'] })).toEqual([]);
    const messages = [{ isInternal: true }, { isInternal: false }];
    expect(found({ messages }, { messages: messages.toReversed() })).toHaveLength(2);
  });

  it('sees a label that is missing, however its id was replaced', () => {
    const roles = new Roles();
    const [was, is] = [id(1), id(2)].map((one, i) => ({ id: one, name: ['vip', 'made'][i] }));
    expect(found({ labels: [was] }, { labels: [is] }, roles)).toEqual([]);
    expect(found({ labels: [was] }, { labels: [] }, roles)).toEqual(['body.labels[] missing: an item, nothing']);
    expect(found({ labels: ['vip'] }, { labels: ['made'] }, roles)).toEqual([]);
    expect(found({ labels: ['vip'] }, { labels: ['spare'] }, roles)).toEqual(['body.labels[] id: one record, another']);
  });

  it('sees names, types, nulls and places', () => {
    expect(found({ a: null, b: 1, c: 'x', e: '' }, { a: 'x', b: 1.5, d: true, e: 'x' })).toEqual([
      'body.a type: null, text',
      'body.b type: whole number, number',
      'body.c missing: text, nothing',
      'body.e type: empty text, text',
      'body.d more: nothing, boolean',
    ]);
    expect(found([1], { data: [1] })).toEqual(['body type: list, object']);
  });

  it('sees statuses with their codes, and codes of errors', () => {
    const error = (status: number, code: string, message = 'No.') => ({
      ...ok({ error: { code, message } }),
      status,
    });
    expect(differences(error(404, 'NOT_FOUND'), error(403, 'FORBIDDEN'))).toEqual([
      { at: 'status', what: 'status', recorded: '404 NOT_FOUND', mock: '403 FORBIDDEN' },
    ]);
    expect(differences(error(404, 'GONE'), error(404, 'NOT_FOUND', 'Other words.'))).toMatchObject([
      { at: 'body.error.code', what: 'value', recorded: 'GONE', mock: 'NOT_FOUND' },
    ]);
  });

  it('compares headers that mean something, and Retry-After within what a network allows', () => {
    const throttled = (wait: string) => ok({ message: 'Too Many Requests' }, { 'retry-after': wait, date: wait });
    expect(differences(throttled('1'), throttled('2'))).toEqual([]);
    expect(differences(throttled('5'), throttled('1'))).toHaveLength(1);
    expect(differences(throttled('1.5'), throttled('1'))).toMatchObject([{ at: 'header retry-after' }]);
    const cached = ok({}, { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' });
    expect(differences(cached, ok({}, { 'content-type': 'application/json' }))).toEqual([
      { at: 'header cache-control', what: 'missing', recorded: 'no-store', mock: 'none' },
    ]);
  });
});
