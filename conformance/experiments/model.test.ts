import { expect, it } from 'vitest';
import type { Exchange, Step } from '../history/exchange.ts';
import { RecordModel, readingOf } from './model.ts';

const [x, y] = ['id-x', 'id-y'];
const view = { at: ['labels'], pick: [], tokens: new Map([x, y].map((id) => [id, id])) };
const [apply, remove, read] = ['applyConversationLabel', 'removeConversationLabel', 'getConversationContext'] as const;

const step = (part: Step['part'], operation: string, carries: string, shows: string, how: object = {}): Exchange =>
  ({
    ...{ operation, params: { labelId: x }, status: 200, headers: {} },
    body: JSON.stringify({ labels: shows === '' ? [] : shows.split(' ') }),
    step: { part, record: 'acme conversation 1', rule: 'labels/apply-adds', carries: carries.split(' ') },
    ...how,
  }) as unknown as Exchange;

/** The signs of each step that were not there before. */
function signs(...steps: Exchange[]) {
  const names = { ...view };
  const model = new RecordModel({
    views: new Map([apply, remove, read].map((one) => [one, one === read ? names : view])),
    foreign: new Map([[names, new Set(['vip'])]]),
  });
  return steps.map((one) => {
    const difference = model.read(one);
    if (difference) model.keep(one, difference);
    return difference?.fresh.map((sign) => `${model.ruleOf(sign, 'labels/apply-adds')} ${sign}`) ?? null;
  });
}

const look = (carries: string, shows: string) => step('look', read, carries, shows);

it('a look must show the labels that were put on, and those of others as before', () => {
  expect(signs(step('write', apply, x, x), look(x, 'vip id-x'), look(x, 'vip'), look(x, 'vip'))).toEqual([
    [],
    [],
    ['labels/apply-adds missing id-x'],
    [],
  ]);
  expect(signs(look('', 'new'), look('', 'new id-y id-y'))).toEqual([
    ['labels/apply-adds missing foreign', 'labels/apply-adds extra foreign'],
    ['labels/apply-adds extra id-y', 'labels/membership-is-a-set twice'],
  ]);
});

it('a label of others that the reply to one write shows must not be missing from that to the next', () => {
  expect(signs(step('write', remove, '', 'vip new'), step('write', apply, x, 'id-x new'))).toEqual([
    [],
    ['labels/apply-adds missing foreign'],
  ]);
});

it('two labels of others may have one name', () => {
  expect(signs(look('', 'vip vip'))).toEqual([[]]);
});

it('a write whose reply was lost may arrive later, also after the next one', () => {
  const seen = (status: number | null, sentAt: number) => {
    const lost = step('write', apply, x, '', { status, doneAt: 1_000 });
    const off = step('write', remove, '', '', { sentAt: 2_000 });
    return signs(lost, off, step('look', read, '', 'vip id-x', { sentAt })).at(-1);
  };
  const surprise = ['labels/apply-adds extra id-x'];
  expect([seen(504, 3_000), seen(null, 3_000)]).toEqual([[], []]);
  expect([seen(504, 40_000), seen(503, 3_000)]).toEqual([surprise, surprise]);
});

it('a write that is not served has nothing to show until the next one', () => {
  const late = step('write', apply, x, '', { status: 429 });
  expect(signs(late, look(x, 'vip'))).toEqual([null, []]);
  expect(signs(late, step('write', apply, x, x), look(x, 'vip')).at(-1)).toEqual(['labels/apply-adds missing id-x']);
});

it('of two writes at once, each is judged by what its own label shows', () => {
  const rule = { part: 'at-once', record: 'acme conversation 1', rule: 'labels/remove-removes', carries: [x] };
  const removal = step('at-once', remove, x, '', { params: { labelId: y }, step: rule });
  expect(signs(step('at-once', apply, x, ''), removal, look(x, 'vip id-y')).at(-1)).toEqual([
    'labels/apply-adds missing id-x',
    'labels/remove-removes extra id-y',
  ]);
});

it('a reply to a write that shows no labels is unreadable', () => {
  const told = (body: object) => step('write', apply, x, '', { body: JSON.stringify(body) });
  expect(signs(told({ ok: true }))).toEqual([['labels/apply-adds unreadable']]);
});

it('knows an id in capitals where a reply shows it in place of the name that was learned', () => {
  const tokens = new Map([['1ABE1008-0000-4000-8000-000000000008', 'spare']]);
  const shows = look('', '1abe1008-0000-4000-8000-000000000008');
  expect(readingOf({ at: ['labels'], pick: [], tokens }, shows)).toMatchObject({
    own: new Set(tokens.keys()),
    foreign: new Set(),
  });
});

it('a spare label that somebody renames is known by what the reply to a write calls it', () => {
  const labels = [{ id: 'vip' }, { id: x, name: 'kept' }];
  const renamed = step('write', apply, x, '', { body: JSON.stringify({ labels }) });
  expect(signs(look(x, 'vip kept'), renamed, look(x, 'vip kept'), look('', 'vip kept'))).toEqual([
    ['labels/apply-adds missing id-x', 'labels/apply-adds extra foreign'],
    [],
    [],
    ['labels/apply-adds extra id-x'],
  ]);
});
