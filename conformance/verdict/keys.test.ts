import { expect, test } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Caller } from '../history/facts.ts';
import type { History } from '../history/history.ts';
import type { HookCall } from '../history/hook-call.ts';
import { evidenceIn } from './evidence.ts';
import { entryIn, isMarked } from './keys.ts';

const hidden = '20000000-0000-4000-8000-000000000000';
const target = parseTarget(
  {
    baseUrl: 'https://example.invalid',
    tenants: [{ name: 'acme', keys: [{ name: 'full', secret: 'placeholder-full', scopes: ['conversation:read'] }] }],
  },
  {},
  'test',
);

let clock = 0;
const call = (hook: HookCall['hook'], input: HookCall['input'], output: unknown = null): HookCall => ({
  ...{ script: 's', hook, tenant: 'acme', input, output, failure: null },
  ...{ startedAt: ++clock, doneAt: ++clock },
});
/** @param how anything but a served read of the labels */
const asked = (
  key: string,
  how: Partial<Exchange> & { caller?: Caller; label?: 'private' | 'spare' } = {},
): Exchange => {
  const { caller = 'valid', label = null, operation = 'listLabels', ...rest } = how;
  return {
    ...{ n: ++clock, script: 's', operation, key: `acme/${key}`, credential: 'key', params: {} },
    ...{ method: 'GET', url: 'https://example.invalid/v1/labels', requestHeaders: {}, requestBody: null },
    ...{ requestBytes: 0, sentAt: ++clock, doneAt: ++clock, status: 200, headers: {}, body: '{}', failure: null },
    ...{ paced: true, facts: { operation: operation as 'listLabels', caller, owner: null, label, mutation: null } },
    ...rest,
  };
};
const historyOf = (...steps: readonly (Exchange | HookCall)[]): History => ({
  known: { kit: 't', startedAt: '2026-01-01T00:00:00Z', target, allowLeftovers: false },
  exchanges: steps.filter((step) => 'n' in step),
  hooks: steps.filter((step) => 'hook' in step),
  ...{ skipped: [], exercised: [], left: [], interrupted: false, finishedAt: '2026-01-01T00:01:00Z' },
});
const said = (rule: RuleId, history: History) => {
  const { kept, failures, unclear } = evidenceIn(history).get(rule) ?? { kept: 0, failures: [], unclear: [] };
  return failures[0]?.observed ?? unclear[0] ?? kept;
};

const named = { id: '1', name: 'check-1' };
const made = () => call('createKey', { name: 'check-1', scopes: ['conversation:read'] }, { id: '1', secret: '$ONE' });
const list = (...keys: readonly object[]) => call('listKeys', {}, { keys });

test.each<[RuleId, ...(Exchange | HookCall)[]]>([
  ['keys/created-with-name-and-scopes', made(), asked('check-1'), list(named)],
  ['keys/secret-shown-only-once', made(), asked('check-1'), list(named)],
  [
    'keys/regeneration-issues-a-new-secret',
    ...[made(), call('regenerateKey', named, { secret: '$TWO' }), asked('check-1, renewed')],
  ],
  [
    'keys/revocation-is-immediate-and-listed',
    ...[made(), call('revokeKey', named), asked('check-1, revoked', { caller: 'revoked', status: 403 })],
    // It lags.
    ...[list(named), list({ ...named, state: 'REVOKED' })],
  ],
])('keeps %s', (rule, ...steps) => {
  expect(said(rule, historyOf(...steps))).toBeGreaterThan(0);
});

test.each<[what: string, RuleId, observed: string, ...(Exchange | HookCall)[]]>([
  [
    'a key that may do what was not chosen',
    ...(['keys/created-with-name-and-scopes', '201'] as const),
    ...[made(), asked('check-1', { operation: 'startSiteFileUpload', status: 201 })],
  ],
  [
    'a key that is not listed',
    ...(['keys/created-with-name-and-scopes', 'a list of keys that does not show that'] as const),
    ...[made(), asked('check-1'), list({ id: '2', name: 'other' })],
  ],
  [
    'a secret in the list',
    ...(['keys/secret-shown-only-once', 'a secret'] as const),
    ...[made(), asked('check-1'), list({ ...named, secret: '$ONE' })],
  ],
  [
    'a secret where a key is revoked',
    ...(['keys/secret-shown-only-once', 'a secret'] as const),
    ...[made(), asked('check-1'), call('revokeKey', named, { secret: '$ONE' })],
  ],
  [
    'a secret in a reply',
    ...(['keys/secret-shown-only-once', 'the secret of acme/full'] as const),
    asked('full', { headers: { 'x-consumer': '$ACME_FULL_KEY' } }),
  ],
  [
    'the same secret again',
    ...(['keys/regeneration-issues-a-new-secret', 'the old secret'] as const),
    ...[made(), call('regenerateKey', named, { secret: '$ONE' }), asked('check-1, renewed')],
  ],
  [
    'a revoked key that is served',
    ...(['keys/revocation-is-immediate-and-listed', '200'] as const),
    ...[made(), call('revokeKey', named), asked('check-1, revoked', { caller: 'revoked' })],
  ],
  [
    'a revoked key without its mark',
    ...(['keys/revocation-is-immediate-and-listed', 'a list of keys that does not show that'] as const),
    ...[made(), asked('check-1'), call('revokeKey', named), list(named)],
  ],
])('finds %s', (_, rule, observed, ...steps) => {
  expect(said(rule, historyOf(...steps))).toBe(observed);
});

test('a new secret that is never served is no outage of its key', () => {
  const successRule: RuleId = 'keys/regeneration-issues-a-new-secret';
  const operations = ['listLabels', 'getHealth', 'getConversation', 'getSite', 'getClient'] as const;
  const refused = operations.map((operation) =>
    asked('check-1, renewed', {
      ...{ operation, status: 403 },
      facts: { operation, caller: 'valid', owner: null, label: null, mutation: null, successRule },
    }),
  );
  const served = operations.map((operation) => asked('check-1', { operation }));
  const history = historyOf(made(), ...served, call('regenerateKey', named, { secret: '$TWO' }), ...refused);
  expect(said(successRule, history)).toContain('403');
});

test('a refusal may repeat a secret that stood where no key belongs', () => {
  const echo = asked('full', { caller: 'bearer', credential: 'bearer', status: 403, body: 'no key: $ACME_FULL_KEY' });
  const sent = { ...echo, requestHeaders: { authorization: 'Bearer $ACME_FULL_KEY' } };
  expect(said('keys/secret-shown-only-once', historyOf(sent))).toBe(1);
});

const show = (...labels: readonly string[]) => call('showLabels', { record: 'conversation/1' }, { labels });
const refusedWrite = () =>
  asked('full', {
    ...{ operation: 'applyConversationLabel', label: 'private', params: { id: '1', labelId: hidden }, status: 404 },
  });
const times = <T>(n: number, steps: () => readonly T[]): T[] => Array.from({ length: n }, steps).flat();

test.each<[what: string, observed: string | number, ...(Exchange | HookCall)[]]>([
  ['keeps a private label off', 1, ...[show(), refusedWrite(), show()]],
  [
    'finds a private label that each refused write puts on, and nothing else',
    'the product shows otherwise: seen 8 of 8 times with this request, and 0 of 15 times in the control, the same steps without it',
    ...times(8, () => [show(), refusedWrite(), show(hidden), call('removePrivateLabel', {}), show(), show()]),
  ],
  [
    'does not know who did it once',
    'the product shows otherwise: seen 1 of 1 time with this request, and 0 of 0 times in the control, the same steps without it',
    ...[show(), refusedWrite(), show(hidden)],
  ],
  [
    'does not know who did it where it happens without a write, too',
    'the product shows otherwise: seen 4 of 4 times with this request, and 4 of 4 times in the control, the same steps without it',
    ...times(4, () => [show(), refusedWrite(), show(hidden), call('removePrivateLabel', {}), show(), show(hidden)]),
  ],
])('%s', (_, observed, ...steps) => {
  expect(said('labels/private-cannot-be-applied', historyOf(...steps))).toBe(observed);
});

test('finds a private label that is lost whenever another label is written', () => {
  const rule = 'labels/private-cannot-be-removed';
  const spare = () => asked('full', { operation: 'applySiteLabel', label: 'spare', params: { id: '1', labelId: 'x' } });
  const control = () => [show(hidden), show(hidden)];
  const lost = () => [...control(), spare(), show(), call('applyPrivateLabel', {})];
  expect(said(rule, historyOf(refusedWrite(), ...times(8, lost)))).toBe(
    'the product shows otherwise: seen 8 of 8 times with this request, and 0 of 8 times in the control, the same steps without it',
  );
  expect(said(rule, historyOf(refusedWrite(), ...control(), spare(), show(hidden)))).toBe(1);
});

test('a raised key that is throttled is unclear until a trial shows that others are not', () => {
  const raised = () => [made(), call('raiseLimit', { ...named, perSecond: 20, burst: 40 })];
  const burst = (key: string, trial?: Exchange['trial'], status = 429) =>
    asked(key, { status, paced: false, ...(trial && { trial }) });
  const rule = 'limiter/limits-can-be-raised';
  expect(said(rule, historyOf(...raised(), burst('check-1, raised', undefined, 200)))).toBe(1);
  const once = historyOf(...raised(), burst('check-1, raised'));
  expect(said(rule, once)).toBe('1 of 1 requests within the raised limit were throttled');
  const sign = 'no usable reply';
  // A firewall would have let it through again by then.
  const trials = Array.from({ length: 8 }, (_, round) => {
    clock += 3_000;
    return [
      burst('full', { ...{ id: 1, arm: 'control', round, rule, sign } }, 200),
      burst('check-1, raised', { ...{ id: 1, arm: 'script', round, rule, sign } }),
    ];
  }).flat();
  const [failure] = evidenceIn(historyOf(...raised(), ...trials)).get(rule)?.failures ?? [];
  expect(failure?.counts).toEqual({ shown: 8, of: 8, beside: 0, controls: 8 });
});

test.each<[what: string, list: unknown]>([
  [
    'rows of cells',
    {
      rows: [
        ['2', 'check-2', 'ACTIVE'],
        ['1', 'check-1', 'REVOKED'],
      ],
    },
  ],
  [
    'keys beside their state',
    [
      { key: { name: 'check-2' }, state: { is: 'ACTIVE' } },
      { key: named, state: { is: 'REVOKED' } },
    ],
  ],
  [
    'groups',
    [
      { label: 'ACTIVE', keys: [{ name: 'check-2' }] },
      { label: 'REVOKED', keys: [named] },
    ],
  ],
  ['named groups', { active: [{ name: 'check-2' }], revoked: [named] }],
  ['texts', ['check-2 active', 'check-1, revoked']],
  ['an object by id', { a: { name: 'check-2' }, b: { name: 'check-1', badge: { text: 'REVOKED' } } }],
])('a list of %s shows which key is revoked', (_, list) => {
  expect(isMarked(entryIn(list, named))).toBe(true);
  expect(entryIn(list, { name: 'check-2' })).toBeDefined();
  expect(isMarked(entryIn(list, { name: 'check-2' }))).toBe(false);
  expect(entryIn(list, { name: 'check-3' })).toBeUndefined();
});
