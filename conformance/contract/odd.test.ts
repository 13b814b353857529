import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import type { Mutation } from '../history/facts.ts';
import type { Case } from './case.ts';
import { judgeStatus } from './judge.ts';
import { isLost } from './signs.ts';

const asked = (statuses: readonly number[] | 'any' | 'no success'): Case => ({
  operation: 'startSiteFileUpload',
  caller: 'valid',
  owner: 'ours',
  label: null,
  mutation: { id: 'odd', means: { rule: 'upload/no-direct-bytes', statuses } } satisfies Mutation,
  isElsewhere: false,
  isRead: false,
  isApply: false,
  lacks: 'none',
  siteRule: null,
});

const says = (statuses: Parameters<typeof asked>[0], status: number | null) => {
  const exchange = { status, failure: status === null ? 'closed' : null, requestBytes: 1 } as Exchange;
  if (isLost(exchange, asked(statuses))) return 'lost';
  return (
    judgeStatus(asked(statuses), exchange).find(({ rule }) => rule === 'upload/no-direct-bytes')?.says ?? 'nothing'
  );
};

it.each([
  [[400], { 201: 'broken', 400: 'kept', 405: 'suspected', 500: 'lost', closed: 'lost' }],
  ['any', { 201: 'broken', 400: 'kept', 405: 'kept', 500: 'lost', closed: 'nothing' }],
  ['no success', { 201: 'broken', 400: 'kept', 405: 'kept', 500: 'nothing', closed: 'nothing' }],
] as const)('a demand of %j: %j', (statuses, expected) => {
  const replies = {
    201: says(statuses, 201),
    400: says(statuses, 400),
    405: says(statuses, 405),
    500: says(statuses, 500),
  };
  expect({ ...replies, closed: says(statuses, null) }).toEqual(expected);
});
