import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import type { Facts } from '../history/facts.ts';
import type { History } from '../history/history.ts';
import { askedAgain } from './again.ts';
import { completeTarget } from './missing-target-fields.ts';

const { id = '' } = { id: completeTarget.tenants[0]?.conversations?.open };
let n = 0;
const asked = (operation: Facts['operation'], status: number, facts: Partial<Facts>, body: object = {}): Exchange => ({
  ...{ n: ++n, script: 'test', operation, key: 'acme/full', credential: 'key', params: { id }, method: 'GET' },
  ...{ url: `https://example.invalid/v1/${n}`, requestHeaders: {}, requestBody: null, requestBytes: 0 },
  ...{ sentAt: n * 1_000, doneAt: n * 1_000 + 50, status, headers: {}, body: JSON.stringify(body), failure: null },
  ...{ paced: true, facts: { operation, caller: 'valid', owner: 'ours', label: null, mutation: null, ...facts } },
});

it('asks the commonest again that can be asked again', () => {
  const wrong = { error: { code: 404, message: 'Not found' } };
  const step = { record: 'acme', carries: [], part: 'write', rule: null } as const;
  const inState = (owner: 'nobody' | 'theirs') =>
    Array.from({ length: 3 }, () => ({ ...asked('removeSiteLabel', 404, { owner }, wrong), step }));
  const exchanges = [
    ...[asked('getConversation', 200, {}), asked('listLabels', 200, { owner: null })],
    ...[...inState('nobody'), ...inState('theirs'), asked('getConversation', 404, { owner: 'nobody' }, wrong)],
    asked('getConversation', 200, {}),
  ];
  const known = { target: completeTarget } as History['known'];
  const history = { known, exchanges, hooks: [] as never } as never;
  expect([...askedAgain(history)].map(({ id: script }) => script)).toEqual(['again/1/errors/body']);
  expect([...askedAgain(history, exchanges.length)]).toEqual([]);
  exchanges.push(asked('getConversation', 404, { owner: 'nobody' }, wrong));
  expect([...askedAgain(history, exchanges.length - 1)].map(({ id: script }) => script)).toEqual([
    'again/last/1/errors/body',
  ]);
});

it('asks what was asked last of all by a script, beside a key that the run has not made and revoked', () => {
  const ofKey = (name: string) => ({ ...asked('listLabels', 200, { owner: null }), key: `acme/${name}` });
  const [shown, limits] = [asked('getConversation', 404, {}), ofKey('limits')];
  // The client has sent it again by itself.
  const exchanges = [shown, asked('getConversation', 404, {}), limits, ofKey('made')];
  const known = { target: completeTarget } as History['known'];
  const [script] = [...askedAgain({ known, exchanges, hooks: [] as never } as never)];
  const used: Exchange[] = [];
  const requests = { has: (one: Exchange) => one === shown, get: (one: Exchange) => void used.push(one) };
  script?.run({ state: { requests } } as never);
  expect(used).toEqual([shown, limits]);
});
