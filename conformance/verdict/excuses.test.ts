import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import { goneIn } from './excuses.ts';

const label = '1abe1008-0000-4000-8000-000000000008';
const isOfGone = (one: Exchange, all: readonly Exchange[]) => goneIn(one, all) !== null;
let at = 0;
const asked = (operation: string, status: number, id = '10042', params: object = {}) => {
  const sentAt = at++;
  const facts = { operation, caller: 'valid', owner: 'ours', label: null, mutation: null };
  return {
    operation,
    status,
    sentAt,
    doneAt: sentAt,
    key: 'acme/full',
    params: { id, ...params },
    facts,
  } as unknown as Exchange;
};
const served = ['getSite', 'startSiteFileUpload'].map((operation) => asked(operation, 200));

it('what two operations found and nobody finds any more was deleted', () => {
  const refused = ['getSite', 'startSiteFileUpload'].map((operation) => asked(operation, 404));
  const last = asked('startSiteFileUpload', 404);
  const isGone = (...exchanges: readonly Exchange[]) => isOfGone(last, [...exchanges, last]);
  expect(isGone(...served, ...refused)).toBe(true);
  expect(isOfGone(asked('startSiteFileUpload', 500), [...served, ...refused])).toBe(false);
  // One operation that fails, what was never found, and what is found later are no deleted record.
  expect(isGone(...served)).toBe(false);
  expect(isGone(...refused)).toBe(false);
  expect(isGone(...served, ...refused, asked('getSite', 200))).toBe(false);
  expect(isGone(...served, ...refused.map((one) => ({ ...one, params: { id: '7' } })))).toBe(false);
});

it('what another request finds at the same time is not gone', () => {
  const refused = Array.from({ length: 6 }, (_, i) => asked(i % 2 ? 'getSite' : 'startSiteFileUpload', 404));
  const last = refused.at(-1) as Exchange;
  const beside = { ...asked('getSite', 200), sentAt: last.sentAt - 0.5 };
  const before = served.map(({ operation }) => asked(`${operation}`, 200));
  expect(
    isOfGone(last, [...before.map((one, i) => ({ ...one, sentAt: i - 9, doneAt: i - 9 })), ...refused, beside]),
  ).toBe(false);
});

it('what is there again was gone for a while only if nobody found it again and again', () => {
  const refused = (times: number) =>
    Array.from({ length: times }, (_, i) => asked(i % 2 ? 'getSite' : 'startSiteFileUpload', 404));
  const isGone = (times: number) => {
    const all = [
      ...served.map(({ operation }) => asked(`${operation}`, 200)),
      ...refused(times),
      asked('getSite', 200),
    ];
    return isOfGone(all.at(-2) as Exchange, all);
  };
  expect([isGone(5), isGone(4)]).toEqual([true, false]);
});

it('a scope that a key had for two operations, and has for none any more, was taken from it', () => {
  const writes = (status: number, key = 'acme/full') =>
    ['applySiteLabel', 'removeSiteLabel'].map((operation) => ({
      ...asked(operation, status, '10042', { labelId: label }),
      key,
    }));
  const [before, after, later] = [writes(200), [...writes(403), asked('getSite', 200)], asked('removeSiteLabel', 403)];
  expect(isOfGone(later, [...before, ...after, later])).toBe(true);
  // Another key lacks it, and what it never had.
  expect(isOfGone({ ...later, key: 'acme/reader' }, [...before, ...after, later])).toBe(false);
  expect(isOfGone(later, [...after, later])).toBe(false);
  expect(isOfGone({ ...later, operation: 'getSite' }, [...before, ...after, later])).toBe(false);
});

it('a key that two operations let in, and none any more, was revoked', () => {
  const asks = (status: number) => ['getSite', 'listLabels'].map((operation) => asked(operation, status));
  const [before, after, other] = [asks(200), asks(403), { ...asked('getSite', 200), key: 'acme/other' }];
  expect(goneIn(after[1] as Exchange, [...before, ...after, other])).toEqual({ thing: 'acme/full', isBack: false });
  expect(goneIn(after[1] as Exchange, [...before, ...after.slice(1), other])).toBe(null);
});

it('a label that nobody finds on any record was deleted', () => {
  const writes = (status: number) =>
    ['1', '2'].flatMap((id) =>
      ['applySiteLabel', 'removeSiteLabel'].map((operation) => asked(operation, status, id, { labelId: label })),
    );
  const all = [...writes(200), ...writes(404)];
  expect(goneIn(asked('listLabels', 200), all, label)).toEqual({ thing: label, isBack: false });
  expect(goneIn(asked('listLabels', 200), all.slice(0, 4), label)).toBe(null);
});
