import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import { isDeleted, isOfDeleted } from './gone.ts';

const label = '1abe1008-0000-4000-8000-000000000008';
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
  const isGone = (...exchanges: readonly Exchange[]) => isOfDeleted(last, [...exchanges, last]);
  expect(isGone(...served, ...refused)).toBe(true);
  expect(isOfDeleted(asked('startSiteFileUpload', 500), [...served, ...refused])).toBe(false);
  // One operation that fails, what was never found, and what is found later are no deleted record.
  expect(isGone(...served)).toBe(false);
  expect(isGone(...refused)).toBe(false);
  expect(isGone(...served, ...refused, asked('getSite', 200))).toBe(false);
  expect(isGone(...served, ...refused.map((one) => ({ ...one, params: { id: '7' } })))).toBe(false);
});

it('a label that nobody finds on any record was deleted', () => {
  const writes = (status: number) =>
    ['1', '2'].flatMap((id) =>
      ['applySiteLabel', 'removeSiteLabel'].map((operation) => asked(operation, status, id, { labelId: label })),
    );
  const all = [...writes(200), ...writes(404)];
  expect(isDeleted(label, asked('listLabels', 200), all)).toBe(true);
  expect(isDeleted(label, asked('listLabels', 200), all.slice(0, 4))).toBe(false);
});
